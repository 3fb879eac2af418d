import MeetingModel
import Storage

// What is kept of what happened in meetings.
extension ControlPlane {
  /// Events of a meeting behind a place, and the numbering that they are of.
  ///
  /// - Throws: `notFound` for a meeting that is unknown or forgotten.
  func events(
    of meeting: MeetingID, after sequence: Int64, limit: Int
  ) async throws(Status) -> (epoch: Int64, events: [MeetingEvent]) {
    do throws(StorageError) {
      return (
        try await store.eventEpoch(),
        try await store.events(of: meeting, after: sequence, limit: limit)
      )
    } catch { throw report(error) }
  }

  /// - Throws: `notFound` for a meeting that is unknown or forgotten.
  func attendance(
    of meeting: MeetingID, after position: Int64, limit: Int
  ) async throws(Status) -> Page<AttendanceSession> {
    do { return try await store.attendance(of: meeting, after: position, limit: limit) } catch {
      throw report(error)
    }
  }

  /// - Throws: `notFound` for a meeting that is unknown or forgotten.
  func record(of meeting: MeetingID) async throws(Status) -> MeetingRecord {
    do { return try await store.meetingRecord(meeting) } catch { throw report(error) }
  }

  /// How many meetings live.
  func meetingCount() async throws(Status) -> Int {
    do { return try await store.meetingCount() } catch { throw report(error) }
  }

  /// How many attendees a meeting has, connected or not.
  func attendeeCount(of meeting: MeetingID) async throws(Status) -> Int {
    do { return try await store.attendeeCount(of: meeting) } catch { throw report(error) }
  }
}
