import MeetingModel
import Storage

/// What an erasure of a user has taken away, in all stores.
struct ErasedUser: Sendable {
  /// Attendees of live meetings that were deleted.
  var attendees = 0

  /// Stays that were in attendances.
  var sessions = 0

  /// Events of meetings that do not name the user any more.
  var events = 0

  /// Meetings that do not name the user as their host any more.
  var hosted = 0

  /// Events that the user's clients told.
  var clientEvents = 0

  /// Data messages that the user sent.
  var messages: UInt64 = 0
}

extension ClientEventIntake {
  /// Forgets a user: first in meetings that live, whose sessions end; then in the logs of messages,
  /// in the record, and in what clients told.
  ///
  /// May be repeated, and must be when it throws.
  func erase(_ user: ExternalUserID) async throws(Status) -> ErasedUser {
    var erased = ErasedUser()
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
          // Somebody else was faster.
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
