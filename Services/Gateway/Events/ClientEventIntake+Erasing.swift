import MeetingModel
import Storage

/// The counts of the data that an erasure of a user removed, over all stores.
struct UserErasureSummary: Sendable {
  /// Deleted attendees of live meetings.
  var attendees = 0

  /// Sessions removed from attendance records.
  var sessions = 0

  /// Meeting events from which the erasure removed the user.
  var events = 0

  /// Meetings that no longer name the user as their host.
  var hosted = 0

  /// Events that the user's clients reported.
  var clientEvents = 0

  /// Data messages that the user sent.
  var messages: UInt64 = 0
}

extension ClientEventIntake {
  /// Erases a user's data. First deletes the user's attendees of live meetings, and so ends their
  /// sessions. Then erases the user's data in message logs, records and client events.
  ///
  /// Callers may repeat the call, and must repeat it after an error.
  func erase(_ user: ExternalUserID) async throws(Status) -> UserErasureSummary {
    var erased = UserErasureSummary()
    var attendees: Set<AttendeeID> = []
    while true {
      let some: [Attendee]
      do throws(StorageError) {
        some = try await control.store.attendees(named: user, limit: 100)
      } catch { throw control.report(error) }
      if some.isEmpty { break }
      for attendee in some {
        attendees.insert(attendee.id)
        do throws(Status) {
          try await control.deleteAttendee(attendee.id, in: attendee.meetingID)
          erased.attendees += 1
        } catch {
          // `notFound` means that another request has already deleted the attendee.
          guard error.code == .notFound else { throw error }
        }
      }
    }
    erased.messages = try await control.effects.eraseMessages(of: user)
    do throws(StorageError) {
      let record = try await control.store.erase(
        user, and: attendees, at: control.settings.now())
      (erased.sessions, erased.events) = (record.sessions, record.events)
      erased.hosted = record.hosted
      erased.clientEvents = try await events.erase(user, and: record.attendees)
    } catch { throw control.report(error) }
    return erased
  }
}
