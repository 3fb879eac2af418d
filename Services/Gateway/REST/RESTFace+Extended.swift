import Bus
import MeetingModel
import ServiceHost
import Storage
import Wire

// The operations beyond the published interface: what an operator sees of meetings, and decides.
extension RESTFace {
  func answer(
    _ request: RESTRequest, _ route: ExtendedRoute, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    guard caller.tenant == nil || !route.isForAllTenants else {
      throw RESTError(.forbidden, "A key of one tenant may not use \(route.operation.rawValue).")
    }
    let query = try QueryParameters(request.query)
    return switch route {
    case .listMeetings:
      try await listMeetings(query, for: caller)
    case .getRoster(let meeting):
      try await getRoster(of: Self.meetingID(meeting))
    case .setMuted(let attendee, let meeting):
      try await setMuted(request, attendee, in: meeting)
    case .kickAttendee(let attendee, let meeting):
      try await setBarred(true, Self.attendeeID(attendee), in: Self.meetingID(meeting))
    case .allowAttendee(let attendee, let meeting):
      try await setBarred(false, Self.attendeeID(attendee), in: Self.meetingID(meeting))
    case .setLocked(let meeting):
      try await setLocked(request, meeting)
    case .listMessages(let meeting):
      try await listMessages(query, of: Self.meetingID(meeting))
    case .listEvents(let meeting):
      try await listEvents(query, of: Self.meetingID(meeting), for: caller)
    case .getAttendance(let meeting):
      try await getAttendance(
        query, of: Self.meetingID(meeting), as: request.header("Accept"), for: caller)
    case .getLimits:
      RESTResponse(.ok, .object(["Limits": JSONValue(await control.effects.limits())]))
    case .getServices:
      try await getServices()
    case .eraseUser:
      try await eraseUser(request)
    case .listWebhooks:
      try await listWebhooks()
    case .createWebhook:
      try await createWebhook(request)
    case .getWebhook(let id):
      try await getWebhook(id)
    case .setWebhook(let id):
      try await setWebhook(request, id)
    case .deleteWebhook(let id):
      try await deleteWebhook(id)
    case .replayWebhook(let id):
      try await replayWebhook(request, id)
    case .getOpenAPI:
      RESTResponse(openAPI: OpenAPIDocument.bytes)
    }
  }

  // MARK: Meetings

  /// A page of a key of one tenant may be short: the others' meetings are left out of it.
  private func listMeetings(
    _ query: QueryParameters, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    let limit = try Self.pageSize(query.single("max-results"))
    let pages = PageToken(control.store.tokens, for: nil, list: "meetings")
    let position = try pages.position(askedBy: query)
    let page = try await done { () async throws(Status) in
      try await control.listMeetings(after: position, limit: limit)
    }
    var meetings: [JSONValue] = []
    for meeting in page.elements where caller.tenant.map(meeting.tenantIDs.contains) ?? true {
      let attendees = try await done { () async throws(Status) in
        try await control.attendeeCount(of: meeting.id)
      }
      meetings.append(JSONValue(listed: meeting, attendees: attendees))
    }
    var answer: [String: JSONValue] = ["Meetings": .array(meetings)]
    answer["NextToken"] = page.next.map { .string(pages.text(for: $0)) }
    return RESTResponse(.ok, .object(answer))
  }

  private func setLocked(
    _ request: RESTRequest, _ meeting: String
  ) async throws(RESTError) -> RESTResponse {
    let members = JSONMembers(try Self.object(in: request))
    let isLocked = try members.required("Locked", members.flag("Locked"))
    let meeting = try Self.meetingID(meeting)
    try await done { () async throws(Status) in try await control.setLocked(isLocked, meeting) }
    return RESTResponse(.noContent)
  }

  // MARK: Attendees

  private func getRoster(of meeting: MeetingID) async throws(RESTError) -> RESTResponse {
    let (roster, barred) = try await done { () async throws(Status) in
      (
        try await control.roster(V1.GetRosterRequest(meetingID: meeting.text)),
        try await control.barred(in: meeting)
      )
    }
    return RESTResponse(.ok, .object(JSONValue.members(of: roster, barred: barred)))
  }

  private func setMuted(
    _ request: RESTRequest, _ attendee: String, in meeting: String
  ) async throws(RESTError) -> RESTResponse {
    let members = JSONMembers(try Self.object(in: request))
    let isMuted = try members.required("Muted", members.flag("Muted"))
    let attendee = try Self.attendeeID(attendee)
    let meeting = try Self.meetingID(meeting)
    try await done { () async throws(Status) in
      try await control.setMutedByOperator(isMuted, attendee: attendee, in: meeting)
    }
    return RESTResponse(.noContent)
  }

  private func setBarred(
    _ isBarred: Bool, _ attendee: AttendeeID, in meeting: MeetingID
  ) async throws(RESTError) -> RESTResponse {
    try await done { () async throws(Status) in
      try await control.setBarred(isBarred, attendee: attendee, in: meeting)
    }
    return RESTResponse(.noContent)
  }

  // MARK: Messages

  /// A message's place in the log is where the page behind it begins.
  private func listMessages(
    _ query: QueryParameters, of meeting: MeetingID
  ) async throws(RESTError) -> RESTResponse {
    let limit = try Self.pageSize(query.single("max-results"))
    let pages = PageToken(control.store.tokens, for: meeting, list: "messages")
    let position = UInt64(clamping: try pages.position(askedBy: query))
    let page = try await done { () async throws(Status) in
      try await control.messages(
        V1.ListMessagesRequest(meetingID: meeting.text, afterSequence: position))
    }
    let messages = page.messages.prefix(limit)
    let isCut = messages.count < page.messages.count
    var answer: [String: JSONValue] = ["Messages": .array(messages.map { JSONValue($0) })]
    if isCut || page.hasMore {
      let last = isCut ? messages.last?.sequence ?? 0 : page.throughSequence
      answer["NextToken"] = .string(pages.text(for: Int64(clamping: last)))
    }
    return RESTResponse(.ok, .object(answer))
  }

  // MARK: The installation

  private func getServices() async throws(RESTError) -> RESTResponse {
    let (instances, meetings) = try await done { () async throws(Status) in
      (try await control.effects.instances(), try await control.meetingCount())
    }
    return RESTResponse(
      .ok,
      .object([
        "Version": .string(BuildVersion.current), "MeetingCount": .integer(Int64(meetings)),
        "Instances": .array(instances.map { JSONValue($0) }),
      ]))
  }
}
