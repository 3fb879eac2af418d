import MeetingModel
import Storage

// Carries out operations on records: events, attendance, and the erasure of a user's data.
extension RESTHandler {
  /// Returns a meeting's events after a sequence number. The store keeps the events for some time
  /// after the end of the meeting.
  func listEvents(
    of meeting: MeetingID, limit: Int, after sequence: Int64, for caller: Caller
  ) async throws(RESTError) -> [String: JSONValue] {
    let record = try await record(of: meeting, for: caller)
    let (epoch, events) = try await done { () async throws(Status) in
      try await control.events(of: meeting, after: sequence, limit: limit)
    }
    return [
      "Epoch": .integer(epoch), "LastSequence": .integer(record.lastEvent),
      "Events": .array(events.map { JSONValue($0, epoch: epoch) }),
    ]
  }

  /// Returns a meeting's attendance. The store keeps the attendance for some time after the end of
  /// the meeting.
  ///
  /// - Parameter wanted: The `Accept` header. For `text/csv`, the answer is CSV; otherwise, the
  ///   answer is JSON.
  func getAttendance(
    of meeting: MeetingID, _ asked: PageRequest, as wanted: String?, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    let record = try await record(of: meeting, for: caller)
    let page = try await done { () async throws(Status) in
      try await control.attendance(of: meeting, after: asked.position, limit: asked.limit)
    }
    let attendance = AttendancePage(
      record: record, sessions: page.elements, next: page.next.map(asked.tokens.text(for:)),
      now: control.settings.now())
    let isCSV = wanted?.lowercased().contains("text/csv") ?? false
    return isCSV ? attendance.csv : attendance.json
  }

  /// Erases a user's data in all stores.
  func eraseUser(_ user: ExternalUserID) async throws(RESTError) -> [String: JSONValue] {
    let erased = try await done { () async throws(Status) in try await events.erase(user) }
    return [
      "Attendees": .integer(Int64(erased.attendees)),
      "Sessions": .integer(Int64(erased.sessions)),
      "Events": .integer(Int64(erased.events)), "Hosted": .integer(Int64(erased.hosted)),
      "ClientEvents": .integer(Int64(erased.clientEvents)),
      "Messages": .integer(Int64(clamping: erased.messages)),
    ]
  }

  /// Returns a meeting's record, if the caller may read it.
  private func record(
    of meeting: MeetingID, for caller: Caller
  ) async throws(RESTError) -> MeetingRecord {
    let record = try await done { () async throws(Status) in try await control.record(of: meeting) }
    try caller.checkMayUse(meetingOf: record.tenantIDs)
    return record
  }
}

extension JSONValue {
  /// Encodes an event, for lists and for webhook receivers.
  init(_ event: MeetingEvent, epoch: Int64) {
    var members: [String: JSONValue] = [
      "Id": .string(event.id), "Type": .string(event.kind.rawValue), "Epoch": .integer(epoch),
      "Sequence": .integer(event.sequence), "Time": TimestampFormatter.value(event.at),
      "MeetingId": .string(event.meeting.text),
      "ExternalMeetingId": .string(event.externalMeetingID.text),
    ]
    members["PrimaryMeetingId"] = event.primary.map { .string($0.text) }
    members["AttendeeId"] = event.attendee.map { .string($0.text) }
    members["ExternalUserId"] = event.externalUserID.map { .string($0.text) }
    members["Reason"] = event.reason.map { .string($0.rawValue) }
    self = .object(members)
  }
}
