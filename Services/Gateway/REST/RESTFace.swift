import Logging
import MeetingModel
import ServiceHost
import Storage

/// The control plane as clients of the published interface know it: requests in, responses out.
///
/// Knows nothing of connections. Checks go in a fixed order: who asks, which operation, its body as
/// JSON, its values, and then what is stored.
struct RESTFace: Sendable {
  let control: ControlPlane
  let authenticator: any RequestAuthenticator
  let events: ClientEventIntake
  let metrics: RESTMetrics

  /// The page that comes with the gateway; `nil`: there is none.
  var web: WebFace?

  /// Of signed requests; `nil`: as many as come.
  var rate: RequestRate?

  /// The answer to a request; errors too are answers.
  func respond(to request: RESTRequest) async -> RESTResponse {
    if let page = web?.page(for: request) { return page }
    let start = ContinuousClock.now
    let requestID = MeetingID.random().text
    var operation = RESTOperation.unknown
    var response: RESTResponse
    do throws(RESTError) {
      let (caller, route) = try await admit(request)
      operation = route.operation
      if !route.isPublic { try rate?.take() }
      try caller.checkMayUse(operation)
      try await checkMeeting(of: route, for: caller)
      response = try await answer(request, route, for: caller)
    } catch {
      response = error.response(requestID: requestID)
    }
    response.headers.append(.init(name: "x-amzn-RequestId", value: requestID))
    metrics.requests[LabelPair(operation, response.status)].observe(since: start)
    control.logger.debug(
      "Answered a request",
      metadata: [
        LogKey.request: "\(requestID)", LogKey.method: "\(operation.rawValue)",
        LogKey.status: "\(response.status.rawValue)",
      ])
    return web?.allowing(response, to: request) ?? response
  }

  /// The answer to a request that is too large to be read.
  func refuseOversized(limit: Int) -> RESTResponse {
    metrics.oversized.increment()
    let requestID = MeetingID.random().text
    var response = RESTError(.requestEntityTooLarge, "A body may have at most \(limit) bytes.")
      .response(requestID: requestID)
    response.headers.append(.init(name: "x-amzn-RequestId", value: requestID))
    return response
  }

  /// - Throws: What keeps the request from being an operation of somebody who is known.
  private func admit(
    _ request: RESTRequest
  ) async throws(RESTError) -> (caller: Caller, route: RESTRoute) {
    let query = Result { () throws(RESTError) in try QueryParameters(request.query) }
    let operations = (try? query.get())?["operation"] ?? []
    let route = RESTRoute(method: request.method, path: request.path, operations: operations)
    let caller =
      route?.isPublic == true ? .anybody : try await authenticator.authenticate(request)
    _ = try query.get()
    guard let route else {
      throw RESTError(.unknownOperation, "There is no such operation.")
    }
    return (caller, route)
  }

  /// Keeps callers of one tenant off the meetings of others.
  ///
  /// A meeting that is not there is left to the operation itself: no meeting's tenants change, and
  /// no id comes twice, so that what is checked here still holds there.
  private func checkMeeting(
    of route: RESTRoute, for caller: Caller
  ) async throws(RESTError) {
    guard caller.tenant != nil, let text = route.meeting else { return }
    try await checkMeeting(Self.meetingID(text), for: caller)
  }

  /// Keeps callers of one tenant off a meeting of others, if there is such a meeting.
  func checkMeeting(_ id: MeetingID, for caller: Caller) async throws(RESTError) {
    guard caller.tenant != nil else { return }
    let meeting: Meeting
    do throws(Status) { meeting = try await control.meeting(id) } catch {
      guard error.code == .notFound else { throw RESTError(error) }
      return
    }
    try caller.checkMayUse(meeting)
  }

  private func answer(
    _ request: RESTRequest, _ route: RESTRoute, for caller: Caller
  ) async throws(RESTError) -> RESTResponse {
    switch route {
    case .createMeeting:
      try await createMeeting(request, as: route.operation, with: nil, for: caller)
    case .createMeetingWithAttendees:
      try await createMeeting(request, as: route.operation, with: 20, for: caller)
    case .getMeeting(let id):
      try await getMeeting(Self.meetingID(id))
    case .deleteMeeting(let id):
      try await deleteMeeting(Self.meetingID(id))
    case .createAttendee(let meeting):
      try await createAttendee(request, in: meeting)
    case .batchCreateAttendee(let meeting):
      try await createAttendees(request, in: meeting)
    case .getAttendee(let id, let meeting):
      try await getAttendee(Self.attendeeID(id), in: Self.meetingID(meeting))
    case .listAttendees(let meeting):
      try await listAttendees(QueryParameters(request.query), in: Self.meetingID(meeting))
    case .deleteAttendee(let id, let meeting):
      try await deleteAttendee(Self.attendeeID(id), in: Self.meetingID(meeting))
    case .updateAttendeeCapabilities(let id, let meeting):
      try await updateCapabilities(request, of: id, in: meeting)
    case .batchUpdateAttendeeCapabilitiesExcept(let meeting):
      try await updateCapabilitiesExcept(request, in: meeting)
    case .startTranscription(let meeting):
      try await startTranscription(request, of: meeting)
    case .stopTranscription(let meeting):
      try await stopTranscription(of: meeting)
    case .tagResource:
      try await tagResource(request, for: caller)
    case .untagResource:
      try await untagResource(request, for: caller)
    case .listTagsForResource:
      try await listTags(QueryParameters(request.query), for: caller)
    case .putClientEvents:
      try await putClientEvents(request)
    case .extended(let route):
      try await answer(request, route, for: caller)
    case .getEndpoints:
      RESTResponse(.ok, .object(["GatewayUrl": .string(control.settings.gatewayURL)]))
    case .getHealth:
      await health()
    case .describeWeb:
      if let web { await web.description() } else { throw Self.noWeb }
    case .joinFromWeb: try await joinFromPage(request)
    case .captionFromWeb(let meeting): try await captionFromPage(request, in: meeting)
    }
  }

  private static let noWeb = RESTError(.unknownOperation, "There is no such operation.")

  private func health() async -> RESTResponse {
    guard await control.isHealthy() else {
      var response = RESTResponse(.serviceUnavailable, .object(["status": .string("failing")]))
      response.headers.append(.init(name: "Retry-After", value: "1"))
      return response
    }
    return RESTResponse(.ok, .object(["status": .string("ready")]))
  }
}
