import MeetingModel
import Storage

// Returns records of past and present meetings.
extension ControlPlane {
  /// Returns a meeting's events after a sequence number, and the epoch of the sequence numbers.
  ///
  /// - Throws: `notFound` if the store has no record of the meeting.
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

  /// Returns a page of a meeting's attendance.
  ///
  /// - Throws: `notFound` if the store has no record of the meeting.
  func attendance(
    of meeting: MeetingID, after position: Int64, limit: Int
  ) async throws(Status) -> ResultPage<AttendanceSession> {
    do { return try await store.attendance(of: meeting, after: position, limit: limit) } catch {
      throw report(error)
    }
  }

  /// Returns a meeting's record.
  ///
  /// - Throws: `notFound` if the store has no record of the meeting.
  func record(of meeting: MeetingID) async throws(Status) -> MeetingRecord {
    do { return try await store.meetingRecord(meeting) } catch { throw report(error) }
  }

  /// Returns the number of live meetings.
  func meetingCount() async throws(Status) -> Int {
    do { return try await store.meetingCount() } catch { throw report(error) }
  }

  /// Returns the number of a meeting's attendees, connected or not.
  func attendeeCount(of meeting: MeetingID) async throws(Status) -> Int {
    do { return try await store.attendeeCount(of: meeting) } catch { throw report(error) }
  }
}
