import Logging
import MeetingModel
import ServiceHost
import Storage

/// The handler of the published REST interface. It converts a request to a response.
///
/// The handler has no access to connections. The handler makes its checks in a fixed order:
/// authentication, operation, JSON syntax of the body, values in the body, stored state.
struct RESTHandler: Sendable {
  let control: ControlPlane
  let authenticator: any RequestAuthenticator
  let events: ClientEventIntake
  let metrics: RESTMetrics

  /// The web page's handler; `nil` if the gateway serves no page.
  var web: WebPageHandler?

  /// The rate limit for operations that need a signature; `nil` for no limit.
  var rate: GlobalRequestLimit?

  /// Returns the response to a request. If an operation throws an error, the response contains the
  /// error.
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
        LogMetadataKey.request: "\(requestID)", LogMetadataKey.method: "\(operation.labelValue)",
        LogMetadataKey.status: "\(response.status.rawValue)",
      ])
    return web?.allowing(response, to: request) ?? response
  }

  /// Returns the response to a request that is too large to read.
  func refuseOversized(limit: Int) -> RESTResponse {
    metrics.oversized.increment()
    let requestID = GUID.random().text
    var response = RESTError(
      .requestEntityTooLarge,
      "The body of a request may have at most \(limit) bytes; send a smaller body."
    )
    .response(requestID: requestID)
    response.headers.append(.init(name: "x-amzn-RequestId", value: requestID))
    return response
  }

  /// Authenticates a request, and selects its operation.
  ///
  /// - Throws: An error if the caller is not authenticated or the operation is unknown.
  private func admit(_ request: RESTRequest) async throws(RESTError) -> RESTCall {
    let query = Result { () throws(RESTError) in try QueryParameters(request.query) }
    let operations = (try? query.get())?["operation"] ?? []
    let route = RESTRoute(method: request.method, path: request.path, operations: operations)
    let caller = try await caller(of: request, for: route)
    let parameters = try query.get()
    guard let route else {
      throw RESTError(
        .unknownOperation,
        "No operation has this method and path; GET /carillon/v1/openapi.json lists all operations."
      )
    }
    return RESTCall(face: self, request: request, query: parameters, route: route, caller: caller)
  }

  private func caller(
    of request: RESTRequest, for route: RESTRoute?
  ) async throws(RESTError) -> Caller {
    switch route?.operation.right {
    case RequiredRight.none?: .anybody
    case .host: try host(of: route?.path.meeting, request)
    default: try await authenticator.authenticate(request)
    }
  }

  /// Rejects a caller of one tenant if the call's meeting belongs to other tenants.
  ///
  /// If the meeting does not exist, the operation itself reports this. A meeting's tenants never
  /// change, and no two meetings have the same id. So the check remains valid until the operation
  /// runs.
  private func checkMeeting(of call: RESTCall) async throws(RESTError) {
    guard call.caller.tenant != nil, let meeting = call.route.path.meeting else { return }
    try await checkMeeting(meeting.get(), for: call.caller)
  }

  /// Rejects a caller of one tenant if the meeting exists and belongs to other tenants.
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
