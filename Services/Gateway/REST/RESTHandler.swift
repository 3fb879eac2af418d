import Logging
import MeetingModel
import ServiceHost
import Storage

/// The control plane as clients of the published interface know it: requests in, responses out.
///
/// Knows nothing of connections. Checks go in a fixed order: who asks, which operation, its body as
/// JSON, its values, and then what is stored.
struct RESTHandler: Sendable {
  let control: ControlPlane
  let authenticator: any RequestAuthenticator
  let events: ClientEventIntake
  let metrics: RESTMetrics

  /// The page that comes with the gateway; `nil`: there is none.
  var web: WebPageHandler?

  /// Of signed requests; `nil`: as many as come.
  var rate: RequestRate?

  /// The answer to a request; errors too are answers.
  func respond(to request: RESTRequest) async -> RESTResponse {
    if let page = web?.page(for: request) { return page }
    let start = ContinuousClock.now
    let requestID = GUID.random().text
    var operation = RESTOperation.Name.unknown
    var response: RESTResponse
    do throws(RESTError) {
      let call = try await admit(request)
      operation = call.route.operation.name
      if !call.route.operation.isPublic { try rate?.take() }
      try call.caller.checkMayUse(call.route.operation)
      try await checkMeeting(of: call)
      response = try await call.route.operation.respond(call)
    } catch {
      response = error.response(requestID: requestID)
    }
    response.headers.append(.init(name: "x-amzn-RequestId", value: requestID))
    metrics.requests[LabelPair(operation, response.status)].observe(since: start)
    control.logger.debug(
      "Answered a request",
      metadata: [
        LogKey.request: "\(requestID)", LogKey.method: "\(operation.labelValue)",
        LogKey.status: "\(response.status.rawValue)",
      ])
    return web?.allowing(response, to: request) ?? response
  }

  /// The answer to a request that is too large to be read.
  func refuseOversized(limit: Int) -> RESTResponse {
    metrics.oversized.increment()
    let requestID = GUID.random().text
    var response = RESTError(.requestEntityTooLarge, "A body may have at most \(limit) bytes.")
      .response(requestID: requestID)
    response.headers.append(.init(name: "x-amzn-RequestId", value: requestID))
    return response
  }

  /// - Throws: What keeps the request from being an operation of somebody who is known.
  private func admit(_ request: RESTRequest) async throws(RESTError) -> RESTCall {
    let query = Result { () throws(RESTError) in try QueryParameters(request.query) }
    let operations = (try? query.get())?["operation"] ?? []
    let route = RESTRoute(method: request.method, path: request.path, operations: operations)
    let caller =
      route?.operation.isPublic == true ? .anybody : try await authenticator.authenticate(request)
    let parameters = try query.get()
    guard let route else {
      throw RESTError(.unknownOperation, "There is no such operation.")
    }
    return RESTCall(face: self, request: request, query: parameters, route: route, caller: caller)
  }

  /// Keeps callers of one tenant off the meetings of others.
  ///
  /// A meeting that is not there is left to the operation itself: no meeting's tenants change, and
  /// no id comes twice, so that what is checked here still holds there.
  private func checkMeeting(of call: RESTCall) async throws(RESTError) {
    guard call.caller.tenant != nil, let meeting = call.route.path.meeting else { return }
    try await checkMeeting(meeting.get(), for: call.caller)
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
}
