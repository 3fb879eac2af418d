import MeetingModel
import Storage

// What is kept of what happened: events, attendance, and its erasure.
extension RESTFace {
  /// The events of a meeting behind a place, also for a while after its end.
  func listEvents(
    _ query: QueryParameters, of meeting: MeetingID, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    let limit = try Self.pageSize(query.single("max-results"))
    let after = try Self.sequence(query.single("after-sequence"))
    let record = try await record(of: meeting, for: caller)
    let (epoch, events) = try await done { () async throws(Status) in
      try await control.events(of: meeting, after: after, limit: limit)
    }
    return RESTResponse(
      .ok,
      .object([
        "Epoch": .integer(epoch), "LastSequence": .integer(record.lastEvent),
        "Events": .array(events.map { JSONValue($0, epoch: epoch) }),
      ]))
  }

  /// Who was in a meeting, also for a while after its end.
  ///
  /// - Parameter wanted: The `Accept` header: JSON unless it asks for `text/csv`.
  func getAttendance(
    _ query: QueryParameters, of meeting: MeetingID, as wanted: String?, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    let limit = try Self.pageSize(query.single("max-results"), most: 1_000)
    let pages = PageToken(control.store.tokens, for: meeting, list: "attendance")
    let position = try pages.position(askedBy: query)
    let record = try await record(of: meeting, for: caller)
    let page = try await done { () async throws(Status) in
      try await control.attendance(of: meeting, after: position, limit: limit)
    }
    let attendance = AttendancePage(
      record: record, sessions: page.elements, next: page.next.map(pages.text(for:)),
      now: control.settings.now())
    let isCSV = wanted?.lowercased().contains("text/csv") ?? false
    return isCSV ? attendance.csv : attendance.json
  }

  /// Forgets a user everywhere.
  func eraseUser(_ request: RESTRequest) async throws(RESTError) -> RESTResponse {
    let members = JSONMembers(try Self.object(in: request))
    let user = try members.required(
      "ExternalUserId",
      members.text("ExternalUserId") { text throws(ModelError) in try ExternalUserID(text) })
    let erased = try await done { () async throws(Status) in try await events.erase(user) }
    return RESTResponse(
      .ok,
      .object([
        "Attendees": .integer(Int64(erased.attendees)),
        "Sessions": .integer(Int64(erased.sessions)),
        "Events": .integer(Int64(erased.events)), "Hosted": .integer(Int64(erased.hosted)),
        "ClientEvents": .integer(Int64(erased.clientEvents)),
        "Messages": .integer(Int64(clamping: erased.messages)),
      ]))
  }

  /// What is known of a meeting, if the caller may know it.
  private func record(
    of meeting: MeetingID, for caller: Caller
  ) async throws(RESTError) -> MeetingRecord {
    let record = try await done { () async throws(Status) in try await control.record(of: meeting) }
    try caller.checkMayUse(meetingOf: record.tenantIDs)
    return record
  }

  private static func sequence(_ text: String?) throws(RESTError) -> Int64 {
    guard let text else { return 0 }
    guard (1...18).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(text)
    else { throw RESTError(.badRequest, "after-sequence must be a whole number.") }
    return number
  }
}

extension JSONValue {
  /// An event, as it is listed and as receivers are told.
  init(_ event: MeetingEvent, epoch: Int64) {
    var members: [String: JSONValue] = [
      "Id": .string(event.id), "Type": .string(event.kind.rawValue), "Epoch": .integer(epoch),
      "Sequence": .integer(event.sequence), "Time": Timestamp.value(event.at),
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
