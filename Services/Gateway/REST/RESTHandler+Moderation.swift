import MeetingModel
import Storage
import Wire

// Carries out the operations with which operators observe and moderate meetings.
extension RESTHandler {
  // MARK: Meetings

  /// Returns a page of meetings. For a key of one tenant, the page omits other tenants' meetings,
  /// so the page may have fewer entries than the limit.
  func listMeetings(
    _ asked: PageRequest, for caller: Caller
  ) async throws(RESTError) -> [String: JSONValue] {
    let page = try await done { () async throws(Status) in
      try await control.listMeetings(after: asked.position, limit: asked.limit)
    }
    var meetings: [JSONValue] = []
    for meeting in page.elements where caller.tenant.map(meeting.tenantIDs.contains) ?? true {
      let attendees = try await done { () async throws(Status) in
        try await control.attendeeCount(of: meeting.id)
      }
      meetings.append(JSONValue(listed: meeting, attendees: attendees))
    }
    var answer: [String: JSONValue] = ["Meetings": .array(meetings)]
    answer["NextToken"] = asked.token(for: page.next)
    return answer
  }

  func setLocked(_ isLocked: Bool, _ meeting: MeetingID) async throws(RESTError) {
    try await done { () async throws(Status) in try await control.setLocked(isLocked, meeting) }
  }

  // MARK: Attendees

  func getRoster(of meeting: MeetingID) async throws(RESTError) -> [String: JSONValue] {
    let (roster, barred) = try await done { () async throws(Status) in
      (
        try await control.roster(V1.GetRosterRequest(meetingID: meeting.text)),
        try await control.barred(in: meeting)
      )
    }
    return JSONValue.members(of: roster, barred: barred)
  }

  func getReceivedVideo(
    by attendee: AttendeeID, in meeting: MeetingID
  ) async throws(RESTError) -> [String: JSONValue] {
    let received = try await done { () async throws(Status) in
      try await control.receivedVideo(of: attendee, in: meeting)
    }
    return JSONValue.members(of: received)
  }

  func setMuted(
    _ isMuted: Bool, _ attendee: AttendeeID, in meeting: MeetingID
  ) async throws(RESTError) {
    try await done { () async throws(Status) in
      try await control.setMutedByOperator(isMuted, attendee: attendee, in: meeting)
    }
  }

  func kickAttendee(_ attendee: AttendeeID, in meeting: MeetingID) async throws(RESTError) {
    try await setBarred(true, attendee, in: meeting)
  }

  func allowAttendee(_ attendee: AttendeeID, in meeting: MeetingID) async throws(RESTError) {
    try await setBarred(false, attendee, in: meeting)
  }

  private func setBarred(
    _ isBarred: Bool, _ attendee: AttendeeID, in meeting: MeetingID
  ) async throws(RESTError) {
    try await done { () async throws(Status) in
      try await control.setBarred(isBarred, attendee: attendee, in: meeting)
    }
  }

  // MARK: Messages

  /// Returns a page of messages. The next page starts after the sequence of the last message.
  func listMessages(
    of meeting: MeetingID, _ asked: PageRequest
  ) async throws(RESTError) -> [String: JSONValue] {
    let page = try await done { () async throws(Status) in
      try await control.messages(
        V1.ListMessagesRequest(
          meetingID: meeting.text, afterSequence: UInt64(clamping: asked.position)))
    }
    let messages = page.messages.prefix(asked.limit)
    let isCut = messages.count < page.messages.count
    var answer: [String: JSONValue] = ["Messages": .array(messages.map { JSONValue($0) })]
    if isCut || page.hasMore {
      let last = isCut ? messages.last?.sequence ?? 0 : page.throughSequence
      answer["NextToken"] = asked.token(for: Int64(clamping: last))
    }
    return answer
  }
}
