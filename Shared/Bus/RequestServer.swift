public import MeetingModel
public import Wire
public import ZeroMQ

/// A server of requests. It serves other services on a libzmq ROUTER, or clients on a
/// ``ClientListener``.
///
/// A server uses one ``SocketThread``. Create the server, register its handlers and close it on
/// this thread, inside an actor of the thread. Handlers run as plain calls on the thread. A handler
/// that cannot answer immediately keeps its ``Call`` or uses ``Call/perform(_:)``.
///
/// The server answers invalid bytes with `invalidArgument` and reports them to ``observer``.
/// Invalid bytes never reach a handler.
public final class RequestServer {
  /// A check of each request before the request reaches its handler. A returned status rejects the
  /// request.
  public var requestFilter: ((V1.RequestHeader, RoutingID, MethodDescription) -> Status?)?

  /// Called when a client's connection has closed.
  public var onDeparture: ((RoutingID) -> Void)?

  /// The observer that counts events.
  public weak var observer: (any RequestObserver)?

  let thread: SocketThread

  /// Items that the server sent to several sessions in the same message.
  let packedRun = PackedMessageCache()
  private let face: any RequestServerTransport
  private var isClosed = false
  private let options: RequestServerLimits
  private var handlers: [UInt32: RequestMethodHandler] = [:]
  private var open: [CallKey: OpenCall] = [:]
  /// The call whose handler is running.
  ///
  /// Most handlers answer their calls before they return. The server never adds these calls to
  /// `open`.
  private var fresh: (key: CallKey, call: OpenCall)?
  private var openPerRoute: [RoutingID: Int] = [:]
  private var tasks: [UInt64: Task<Void, Never>] = [:]
  private var lastTask: UInt64 = 0
  private var isDraining = false
  private var drains: [CheckedContinuation<Void, Never>] = []
  private let sweep: ThreadTimer

  /// Makes a server for other services.
  ///
  /// Binds every endpoint. The server locks an ipc endpoint before it binds the endpoint, so that
  /// no second process can take the endpoint over.
  ///
  /// - Parameter port: An additional port for peers on other hosts.
  /// - Throws: ``ZeroMQError`` when an endpoint is in use, or when this process cannot bind an
  ///   endpoint.
  public convenience init(
    at endpoints: [Endpoint], securedAt port: SecuredPort? = nil, in context: ZMQContext,
    on thread: SocketThread, options: RequestServerLimits = RequestServerLimits()
  ) throws(ZeroMQError) {
    let face = try RouterTransport(
      at: endpoints, securedAt: port, in: context, on: thread, options: options)
    self.init(face, on: thread, options)
  }

  /// Makes a server for unauthenticated clients. The server can also send these clients the items
  /// of a ``SessionOutbox``.
  ///
  /// - Parameter listening: The limits of the listener.
  /// - Throws: ``ZeroMQError`` when an endpoint is in use, or when this process cannot bind an
  ///   endpoint.
  public convenience init(
    ofClientsAt endpoints: [Endpoint], on thread: SocketThread,
    options: RequestServerLimits = .clientFacing, listening: ListenerLimits = .requests
  ) throws(ZeroMQError) {
    let face = try ListenerTransport(at: endpoints, on: thread, options: listening)
    self.init(face, on: thread, options)
  }

  private init(
    _ face: any RequestServerTransport, on thread: SocketThread, _ options: RequestServerLimits
  ) {
    (self.face, self.thread, self.options) = (face, thread, options)
    sweep = ThreadTimer(on: thread)
    face.onRequest = { [unowned self] route, bytes in
      if !isClosed { handle(bytes, from: route) }
    }
    face.onDeparture = { [unowned self] route in depart(route) }
    face.onChange = { [unowned self] event in observer?.connectionDidChange(event) }
    face.onUndeliverable = { [unowned self] in observer?.replyWasUndeliverable() }
  }

  /// The endpoint of the server. For `tcp://…:0`, the endpoint contains the port that the system
  /// chose.
  public var lastEndpoint: Endpoint? { face.endpoint }

  /// The listener, if this is a server for clients.
  var listener: ClientListener? { (face as? ListenerTransport)?.listener }

  // MARK: Handlers

  /// Registers the handler of a unary method.
  public func on<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ handler: @escaping (Request, Call<Reply>) -> Void
  ) {
    register(method.description) { [unowned self] header, route, body throws(WireError) in
      let request = try Request(packed: body, limits: options.limits)
      let call = Call<Reply>(header, from: route, at: self)
      begin(call.key, header, method.description)
      handler(request, call)
    }
  }

  /// Registers the handler of a server-streaming method.
  public func on<Request, Item>(
    _ method: StreamMethod<Request, Item>,
    _ handler: @escaping (Request, ServerStream<Item>) -> Void
  ) {
    register(method.description) { [unowned self] header, route, body throws(WireError) in
      let request = try Request(packed: body, limits: options.limits)
      let stream = ServerStream<Item>(header, from: route, at: self)
      begin(stream.key, header, method.description)
      handler(request, stream)
    }
  }

  private func register(
    _ method: MethodDescription,
    _ invoke: @escaping (V1.RequestHeader, RoutingID, RawSpan) throws(WireError) -> Void
  ) {
    precondition(handlers[method.key] == nil, "\(method.name) is answered already.")
    handlers[method.key] = RequestMethodHandler(method: method, invoke: invoke)
  }

  // MARK: Sending

  /// Sends a message that several clients share.
  func send(_ message: ZMTPFramedMessage, to connection: ListenerPeerConnection) -> SendResult {
    note(listener?.send(message, to: connection) ?? .unroutable)
  }

  private func note(_ result: SendResult) -> SendResult {
    if result == .unroutable { observer?.replyWasUndeliverable() }
    return result
  }

  func finish(_ key: CallKey, with reply: some WireMessage) {
    guard let call = close(key) else { return }
    let header = V1.ReplyHeader(callID: key.callID, kind: .reply)
    face.answer(ArenaWireFrame(header: header, body: reply), to: key.route)
    report(call, .ok)
  }

  func finish(_ key: CallKey, with status: Status) {
    guard let call = close(key) else { return }
    answer(key, .reply, status)
    report(call, status.code)
  }

  func send<Item: WireMessage>(_ item: Item, raw: [MessageFrame] = [], on key: CallKey) -> Bool {
    precondition(
      raw.count <= RawWireFrameLimit.most,
      "An item has at most \(RawWireFrameLimit.most) raw frames.")
    keepFresh()
    guard open[key] != nil else { return false }
    let header = V1.ReplyHeader(
      callID: key.callID, kind: .item, rawCount: UInt32(clamping: raw.count))
    return note(face.send(ArenaWireFrame(header: header, body: item), raw: raw, to: key.route))
      == .sent
  }

  func end(_ key: CallKey, with status: Status?) {
    guard let call = close(key) else { return }
    answer(key, .end, status)
    report(call, status?.code ?? .ok)
  }

  func forget(_ key: CallKey) {
    if let call = close(key) { report(call, .ok) }
  }

  func perform<Reply: WireMessage>(
    _ work: @escaping @Sendable () async throws -> Reply, answering key: CallKey
  ) {
    keepFresh()
    guard let call = open[key] else { return }
    precondition(call.task == nil, "A call performs one work.")
    lastTask += 1
    let number = lastTask
    // The executor preference makes the task run on the server's thread. All code that uses
    // `server` runs on this thread.
    nonisolated(unsafe) let server = self
    let task = Task(executorPreference: thread) {
      do {
        let reply = try await work()
        unsafe server.finish(key, with: reply)
      } catch {
        unsafe server.finish(key, with: Status(describing: error))
      }
      unsafe server.taskDidEnd(number, of: key.route)
    }
    tasks[number] = task
    open[key]?.task = task
  }

  private func taskDidEnd(_ number: UInt64, of route: RoutingID) {
    tasks[number] = nil
    release(route)
    resumeDrains()
  }

  func onCancel(of key: CallKey) -> (() -> Void)? {
    keepFresh()
    return open[key]?.onCancel
  }

  func onCancel(of key: CallKey, call body: (() -> Void)?) {
    keepFresh()
    open[key]?.onCancel = body
  }

  // MARK: Ending

  /// Rejects new calls, ends the open streams, and waits for the open unary calls and their tasks.
  ///
  /// The deadlines of the calls limit this wait. But a task that ignores its cancellation makes the
  /// wait longer.
  public func drain() async {
    isDraining = true
    keepFresh()
    for key in open.filter({ $0.value.isStream }).keys { cancel(key, with: Self.drainingStatus) }
    // This check is inside the closure: the method may suspend before the closure, and the last
    // call may end in the meantime.
    await withCheckedContinuation { continuation in
      if isIdle { continuation.resume() } else { drains.append(continuation) }
    }
  }

  /// Waits, for at most `limit`, until the currently connected peers have disconnected.
  ///
  /// If this process closes a Unix socket with unread bytes, the peer's next read fails with
  /// `ECONNRESET` (unix(7)). The peer may then lose the last bytes that this process sent. So a
  /// server that asks its peers to disconnect waits for the disconnects before it closes the
  /// socket.
  public func awaitDeparture(within limit: Duration) async {
    await face.departure(within: limit)
  }

  private var isIdle: Bool { fresh == nil && open.isEmpty && tasks.isEmpty }

  private func resumeDrains() {
    guard isIdle, !drains.isEmpty else { return }
    let ended = drains
    drains = []
    for drain in ended { drain.resume() }
  }

  /// Cancels open calls and closes the socket.
  public func close() {
    keepFresh()
    for key in Array(open.keys) { cancel(key, with: Self.drainingStatus) }
    sweep.cancel()
    isClosed = true
    face.close()
  }

  private static let drainingStatus = Status(
    .unavailable, "This instance is stopping; try another or try again.", reason: .draining)

  // MARK: Receiving

  private func handle(_ message: RawSpan?, from route: RoutingID) {
    guard let message else {
      reject(.malformed, from: route)
      return refuse(route, 0, .reply, .malformed(face.rule))
    }
    do throws(WireError) {
      var frames = try WireFrameBundle.Reader(message)
      while !isClosed, let frame = frames.next(in: message) {
        handle(frame: message.extracting(frame), from: route)
      }
    } catch {
      reject(.malformed, from: route)
      refuse(route, 0, .reply, .malformed("\(error)"))
    }
  }

  private func handle(frame: RawSpan, from route: RoutingID) {
    do {
      let parts = try WireFrame.split(frame)
      let header = try V1.RequestHeader(
        packed: frame.extracting(parts.header), limits: options.limits)
      dispatch(header, from: route, body: frame.extracting(parts.body))
    } catch {
      reject(.malformed, from: route)
      refuse(route, 0, .reply, .malformed("\(error)"))
    }
  }

  private func dispatch(_ header: V1.RequestHeader, from route: RoutingID, body: RawSpan) {
    guard header.version == RequestHeaderVersion.current else {
      reject(.unsupportedVersion, from: route)
      return refuseVersion(of: header, from: route)
    }
    let key = CallKey(route: route, callID: header.callID)
    switch header.kind {
    case .cancel:
      return cancel(key, with: .cancelledByCaller)
    case .call:
      break
    case .unspecified, .unrecognized:
      reject(.malformed, from: route)
      return refuse(route, header.callID, .reply, .malformed("a request must be CALL or CANCEL"))
    }
    guard let handler = handlers[header.method] else {
      reject(.unknownMethod, from: route)
      return refuse(
        route, header.callID, .reply,
        Status(
          .unimplemented,
          "This server has no method with the key \(header.method); use programs of one release."))
    }
    let kind: V1.ReplyKind = handler.method.isStream ? .end : .reply
    guard header.callID != 0, open[key] == nil else {
      reject(.malformed, from: route)
      return refuse(route, header.callID, kind, .malformed("a call id must not be 0 or in use"))
    }
    if isDraining {
      reject(.draining, from: route)
      return refuse(route, header.callID, kind, Self.drainingStatus)
    }
    guard openPerRoute[route, default: 0] < options.maximumOpenCallsPerPeer else {
      reject(.overloaded, from: route)
      return refuse(
        route, header.callID, kind,
        Status(.resourceExhausted, "Too many open calls; await some first.", reason: .overloaded))
    }
    if let status = requestFilter?(header, route, handler.method) {
      reject(.unauthorized, from: route)
      return refuse(route, header.callID, kind, status)
    }
    face.wasUsed(by: route)
    do {
      try handler.invoke(header, route, body)
      keepFresh()
    } catch {
      reject(.malformed, from: route)
      refuse(route, header.callID, kind, .malformed("\(error)"))
    }
  }

  private func reject(_ reason: RequestRejectionReason, from route: RoutingID) {
    observer?.requestWasRejected(reason)
    face.wasRefused(to: route)
  }

  private func refuse(_ route: RoutingID, _ callID: UInt64, _ kind: V1.ReplyKind, _ status: Status)
  {
    answer(CallKey(route: route, callID: callID), kind, status)
  }

  private func refuseVersion(of header: V1.RequestHeader, from route: RoutingID) {
    let status = Status(
      .unimplemented,
      "Version \(header.version) is not served; use \(RequestHeaderVersion.current).",
      reason: .unsupportedVersion)
    let reply = V1.ReplyHeader(
      callID: header.callID, kind: .reply, status: V1.Status(status),
      servedVersions: [RequestHeaderVersion.current])
    face.answer(ArenaWireFrame(header: reply), to: route)
  }

  private func answer(_ key: CallKey, _ kind: V1.ReplyKind, _ status: Status?) {
    let header = V1.ReplyHeader(
      callID: key.callID, kind: kind, status: status.map { V1.Status($0) })
    face.answer(ArenaWireFrame(header: header), to: key.route)
  }

  // MARK: Open calls

  private func begin(
    _ key: CallKey, _ header: V1.RequestHeader, _ method: MethodDescription
  ) {
    let now = thread.now
    let timeout =
      header.timeoutUs == 0
      ? options.defaultTimeout
      : .microseconds(Int64(clamping: min(header.timeoutUs, Self.longestTimeout)))
    let call = OpenCall(
      method: method, began: now, deadline: method.isStream ? nil : now + timeout)
    fresh = (key, call)
  }

  /// Moves the call of the current handler to the open calls, unless the call already has an
  /// answer.
  private func keepFresh() {
    guard let (key, call) = fresh else { return }
    fresh = nil
    open[key] = call
    openPerRoute[key.route, default: 0] += 1
    if !call.isStream { armSweep() }
  }

  /// The longest timeout: one day, in microseconds. The server reduces longer timeouts to this
  /// timeout.
  private static let longestTimeout: UInt64 = 86_400_000_000

  private func close(_ key: CallKey) -> OpenCall? {
    if let (freshKey, call) = fresh, freshKey == key {
      fresh = nil
      resumeDrains()
      return call
    }
    guard let call = open.removeValue(forKey: key) else { return nil }
    if call.task == nil { release(key.route) }
    resumeDrains()
    return call
  }

  /// Subtracts one call from a peer's open calls.
  ///
  /// The server counts a call until the server has answered the call and the call's task has
  /// finished. Otherwise a peer could start tasks without limit, by calling and cancelling in a
  /// loop.
  private func release(_ route: RoutingID) {
    let left = openPerRoute[route, default: 1] - 1
    openPerRoute[route] = left == 0 ? nil : left
  }

  private func cancel(_ key: CallKey, with status: Status) {
    guard let call = close(key) else { return }
    call.task?.cancel()
    call.onCancel?()
    answer(key, call.isStream ? .end : .reply, status)
    report(call, status.code)
  }

  /// Cancels the calls of a connection that has closed.
  private func depart(_ route: RoutingID) {
    keepFresh()
    if openPerRoute[route] != nil {
      for key in open.keys where key.route == route {
        guard let call = close(key) else { continue }
        call.task?.cancel()
        call.onCancel?()
        report(call, .cancelled)
      }
    }
    onDeparture?(route)
  }

  private func armSweep() {
    guard !sweep.isSet, !isClosed else { return }
    // The closure refers to `self` as `unowned`, because an object's first weak reference makes
    // every later retain slow. `close` cancels the alarm.
    sweep.set(after: .milliseconds(25)) { [unowned self] in sweepDeadlines() }
  }

  private func sweepDeadlines() {
    let now = thread.now
    for (key, call) in open where call.deadline.map({ $0 <= now }) ?? false {
      cancel(
        key,
        with: Status(
          .deadlineExceeded, "The call exceeded the caller's timeout, and may still take effect."))
    }
    if open.values.contains(where: { $0.deadline != nil }) { armSweep() }
  }

  private func report(_ call: OpenCall, _ code: StatusCode) {
    observer?.requestDidFinish(call.method, code, after: thread.now - call.began)
  }
}

/// The handler of one method.
private struct RequestMethodHandler {
  let method: MethodDescription
  let invoke: (V1.RequestHeader, RoutingID, RawSpan) throws(WireError) -> Void
}

/// A call that the server has not answered yet.
private struct OpenCall {
  let method: MethodDescription
  let began: ContinuousClock.Instant
  let deadline: ContinuousClock.Instant?
  var onCancel: (() -> Void)?
  var task: Task<Void, Never>?

  var isStream: Bool { method.isStream }
}

extension Status {
  static func malformed(_ what: String) -> Status {
    Status(.invalidArgument, "This is not a request: \(what).", reason: .malformed)
  }

  /// Makes the status of a thrown error.
  ///
  /// An error of unknown type is a defect. The status does not contain the text of the error.
  public init(describing error: any Error) {
    switch error {
    case let error as any StatusConvertible: self = error.status
    case is CancellationError: self = Status(.cancelled, "The call was cancelled.")
    default:
      self = Status(.internalError, "The service failed on this call; see the log of the service.")
    }
  }
}
