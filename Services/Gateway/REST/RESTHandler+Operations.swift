import MeetingModel
import Storage
import Wire

// Carries out the operations of the published interface on meetings, attendees and transcription.
extension RESTHandler {
  // MARK: Meetings

  func createMeeting(
    _ asked: MeetingRequest, for caller: Caller
  ) async throws(RESTError) -> [String: JSONValue] {
    let created = try await create(asked, for: caller)
    return ["Meeting": value(of: created.meeting, at: asked.placementBase)]
  }

  func createMeetingWithAttendees(
    _ asked: MeetingRequest, for caller: Caller
  ) async throws(RESTError) -> [String: JSONValue] {
    let created = try await create(asked, for: caller)
    var answer = JSONValue.members(of: created.enrolled)
    answer["Meeting"] = value(of: created.meeting, at: asked.placementBase)
    return answer
  }

  private func create(
    _ asked: MeetingRequest, for caller: Caller
  ) async throws(RESTError) -> CreatedMeeting {
    if let tenant = caller.tenant, asked.tenantIDs != [tenant] {
      throw RESTError(
        .forbidden,
        """
        A key of a tenant can create meetings of this tenant only; send this tenant alone in \
        TenantIds.
        """)
    }
    if let primary = asked.primaryID { try await checkMeeting(primary, for: caller) }
    return try await done { () async throws(Status) in try await control.createMeeting(asked) }
  }

  func getMeeting(
    _ id: MeetingID, at base: String
  ) async throws(RESTError) -> [String: JSONValue] {
    let meeting = try await done { () async throws(Status) in try await control.meeting(id) }
    return ["Meeting": value(of: meeting, at: base)]
  }

  /// Encodes a meeting with URLs below `base`.
  ///
  /// The store contains the base of the request that created the meeting. The gateway at that
  /// address may have stopped. The client has just reached the gateway at `base`.
  func value(of meeting: Meeting, at base: String) -> JSONValue {
    var meeting = meeting
    meeting.placementBase = base
    return JSONValue(meeting, control.settings)
  }

  func deleteMeeting(_ id: MeetingID) async throws(RESTError) {
    try await done { () async throws(Status) in
      try await control.endMeeting(id, because: .deleted)
    }
  }

  // MARK: Attendees

  func createAttendee(
    _ asked: AttendeeRequest, in meeting: MeetingID
  ) async throws(RESTError) -> [String: JSONValue] {
    let issued = try await done { () async throws(Status) in
      try await control.createAttendee(asked, in: meeting)
    }
    return ["Attendee": JSONValue(issued)]
  }

  func createAttendees(
    _ asked: [AttendeeRequest], in meeting: MeetingID
  ) async throws(RESTError) -> [String: JSONValue] {
    let enrolled = try await done { () async throws(Status) in
      try await control.createAttendees(asked, in: meeting)
    }
    return JSONValue.members(of: enrolled)
  }

  func getAttendee(
    _ id: AttendeeID, in meeting: MeetingID
  ) async throws(RESTError) -> [String: JSONValue] {
    let issued = try await done { () async throws(Status) in
      try await control.attendee(id, in: meeting)
    }
    return ["Attendee": JSONValue(issued)]
  }

  func listAttendees(
    in meeting: MeetingID, _ asked: PageRequest
  ) async throws(RESTError) -> [String: JSONValue] {
    let page = try await done { () async throws(Status) in
      try await control.listAttendees(in: meeting, after: asked.position, limit: asked.limit)
    }
    var answer: [String: JSONValue] = [
      "Attendees": .array(page.elements.map(JSONValue.init(_:)))
    ]
    answer["NextToken"] = asked.token(for: page.next)
    return answer
  }

  func deleteAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(RESTError) {
    try await done { () async throws(Status) in try await control.deleteAttendee(id, in: meeting) }
  }

  // MARK: Capabilities

  func updateCapabilities(
    _ capabilities: AttendeeCapabilities, of id: AttendeeID, in meeting: MeetingID
  ) async throws(RESTError) -> [String: JSONValue] {
    let issued = try await done { () async throws(Status) in
      try await control.updateCapabilities(capabilities, attendee: id, in: meeting)
    }
    return ["Attendee": JSONValue(issued)]
  }

  func updateCapabilitiesOfOthers(
    _ asked: CapabilitiesExceptRequest, in meeting: MeetingID
  ) async throws(RESTError) {
    try await done { () async throws(Status) in
      try await control.updateCapabilities(
        asked.capabilities, allExcept: asked.excluded, in: meeting)
    }
  }

  // MARK: Transcription

  func startTranscription(
    _ configuration: V1.TranscriptionConfiguration, of meeting: MeetingID
  ) async throws(RESTError) {
    _ = try await done { () async throws(Status) in
      try await control.startTranscription(configuration, of: meeting)
    }
  }

  func stopTranscription(of meeting: MeetingID) async throws(RESTError) {
    _ = try await done { () async throws(Status) in
      try await control.stopTranscription(of: meeting)
    }
  }
}
