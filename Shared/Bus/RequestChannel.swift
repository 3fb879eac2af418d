public import MeetingModel
public import Wire
public import ZeroMQ

/// A client of one server, through a DEALER socket.
///
/// All calls run on its ``SocketThread``, inside an actor of this thread. The channel connects
/// without waiting for a call, and reconnects after the loss of the connection. A request that a
/// caller makes while there is no connection waits for the connection, at most until the request's
/// deadline. When the connection drops, its open calls fail with `unavailable`, and the callers
/// decide whether to repeat their calls.
public final class RequestChannel {
  /// Called with `true` when the socket establishes the connection, and with `false` when the
  /// socket loses the connection.
  public var onConnectionChange: ((Bool) -> Void)?

  /// Called when a refusal begins or changes.
  public var onRefusal: ((Status) -> Void)?

  private let connection: RequestChannelConnection
  private let thread: SocketThread

  /// The status of calls after the end of the channel.
  private var closing = Status(.cancelled, "The channel is closed.")
  private var calls: [UInt64: PendingCall] = [:]
  private var session: (callID: UInt64, call: PendingCall)?
  private var waiting: [QueuedRequest] = []

  /// The frames of this turn. ``gathered`` contains the ids of their calls.
  ///
  /// While the bundle is in use, no request waits for the connection.
  private var bundle = WireFrameBundle()
  private var gathered: [UInt64] = []
  private var hook: SocketThreadHookID?
  private var lastCallID: UInt64 = 0
  private let sweep: ThreadTimer

  /// Opens the socket and starts to connect. Call this initializer on `thread`.
  ///
  /// - Parameter maximumMessageSize: The largest message part the server may send, in bytes. A
  ///   larger part ends the connection.
  /// - Throws: ``ZeroMQError`` if the process has no socket left or the endpoint is invalid.
  public init(
    to endpoint: Endpoint, in context: ZMQContext, on thread: SocketThread,
    maximumMessageSize: Int = 64 << 20
  ) throws(ZeroMQError) {
    self.thread = thread
    sweep = ThreadTimer(on: thread)
    connection = try RequestChannelConnection(
      to: endpoint, in: context, on: thread, maximumMessageSize: maximumMessageSize)
    connection.onMessage = { [unowned self] message in handle(&message) }
    connection.onChange = { [unowned self] isUp in connectionDidChange(isUp) }
    connection.onRefusal = { [unowned self] status in onRefusal?(status) }
    hook = thread.addBeforePoll(isLast: true) { [unowned self] in flushBundle() }
  }

  /// The server's endpoint.
  public var endpoint: Endpoint { connection.endpoint }

  /// Whether the socket has a connection.
  public var isConnected: Bool { connection.isUp }

  /// The reason why the server refuses this client, if known; `nil` while the server accepts this
  /// client or is unreachable.
  public var refusal: Status? { connection.refusal }

  // MARK: Calling

  /// Calls a unary method.
  ///
  /// Only actors on the channel's thread may call this method. Cancelling the caller's task cancels
  /// the call.
  ///
  /// - Parameter isolation: The calling actor. Functions of this module run on their caller's
  ///   executor even without this parameter. But `withTaskCancellationHandler` belongs to another
  ///   module. Without this parameter, the closure that this method passes to
  ///   `withTaskCancellationHandler` would run in the global pool.
  public func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, _ options: CallOptions,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Status) -> Reply {
    let callID = nextCallID()
    let deadline = thread.now + options.timeout
    let header = options.header(callID: callID, method: method.key)
    // `answer` does not depend on the types `Request` and `Reply`, because unspecialised generic
    // code is slow.
    let answer = await answer(to: callID, by: deadline, isolation: isolation) {
      send(callID, header, request, deadline)
    }
    switch answer {
    case .success(let frame): return try Reply(inReply: frame)
    case .failure(let status): throw status
    }
  }

  /// Sends a call and waits for its answer.
  ///
  /// This function adds the call to `calls` before it sends the call, and does not suspend between
  /// these steps. Otherwise an answer that arrives during a suspension would find no call.
  ///
  /// - Parameter send: Sends the call, or returns the reason why the channel cannot send the call.
  private func answer(
    to callID: UInt64, by deadline: ContinuousClock.Instant, isolation: isolated (any Actor)?,
    _ send: () -> Status?
  ) async -> Answer {
    // The cancellation handler uses `channel` only on the channel's thread.
    nonisolated(unsafe) let channel = self
    let thread = thread
    return await withTaskCancellationHandler {
      _ = isolation
      // `finish` removes the call from `calls`, so the continuation resumes exactly once.
      return await unsafe withUnsafeContinuation { continuation in
        // An earlier cancellation of the task has already run `onCancel`, which found no call in
        // `calls`. So this closure must check for the cancellation.
        guard !Task.isCancelled else {
          return unsafe continuation.resume(returning: .failure(.cancelledByCaller))
        }
        calls[callID] = PendingCall(deadline: deadline, taker: unsafe .task(continuation))
        if let status = send() { finish(callID, status) }
      }
    } onCancel: {
      thread.perform { unsafe channel.cancel(callID) }
    }
  }

  /// Calls a unary method. `then` receives the answer on the channel's thread, exactly once.
  public func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, _ options: CallOptions,
    then: @escaping (Result<Reply, Status>) -> Void
  ) {
    let callID = nextCallID()
    let deadline = thread.now + options.timeout
    calls[callID] = PendingCall(
      deadline: deadline,
      taker: .reply { answer in
        then(answer.flatMap { frame in Result { () throws(Status) in try Reply(inReply: frame) } })
      })
    send(callID, options.header(callID: callID, method: method.key), request, by: deadline)
  }

  /// Opens a server-streaming call.
  ///
  /// The channel calls `onEnd` exactly once, with `nil` if the stream ended without an error.
  ///
  /// The timeout of `options` has no effect: a stream lasts until one side ends it.
  @discardableResult
  public func open<Request, Item>(
    _ method: StreamMethod<Request, Item>, _ request: Request, _ options: CallOptions,
    onItem: @escaping (Item) -> Void, onEnd: @escaping (Status?) -> Void
  ) -> StreamCallHandle {
    let callID = nextCallID()
    calls[callID] = PendingCall(
      deadline: nil,
      taker: .items(
        { (body, _) throws(WireError) in onItem(try Item(packed: body)) }, end: onEnd))
    send(callID, options.header(callID: callID, method: method.key), request, by: nil)
    return StreamCallHandle(callID: callID)
  }

  /// Opens a server-streaming call whose items carry raw frames. Each item's header declares the
  /// number of its raw frames.
  ///
  /// In all other respects, this method works like ``open(_:_:_:onItem:onEnd:)``.
  @discardableResult
  public func openRaw<Request, Item>(
    _ method: StreamMethod<Request, Item>, _ request: Request, _ options: CallOptions,
    onItem: @escaping (Item, [MessageFrame]) -> Void, onEnd: @escaping (Status?) -> Void
  ) -> StreamCallHandle {
    let callID = nextCallID()
    calls[callID] = PendingCall(
      deadline: nil,
      taker: .rawItems(
        { (body, raw) throws(WireError) in onItem(try Item(packed: body), raw) }, end: onEnd))
    send(callID, options.header(callID: callID, method: method.key), request, by: nil)
    return StreamCallHandle(callID: callID)
  }

  /// Opens the session stream of this connection. The items and the end of the stream carry no call
  /// id.
  ///
  /// `onItem` receives an item's body, and the size in bytes of the frame that contains the item.
  /// The client's keep-alives acknowledge these bytes. A new session stream replaces the previous
  /// session stream, whose closures the channel does not call again.
  public func openSession<Request, Item>(
    _ method: StreamMethod<Request, Item>, _ request: Request, _ options: CallOptions,
    onItem: @escaping (Item, Int) -> Void, onEnd: @escaping (Status?) -> Void
  ) {
    let callID = nextCallID()
    session = (
      callID,
      PendingCall(
        deadline: nil,
        taker: .items(
          { (body, size) throws(WireError) in onItem(try Item(packed: body), size) }, end: onEnd))
    )
    send(callID, options.header(callID: callID, method: method.key), request, by: nil)
  }

  /// Cancels a stream on both sides. The channel does not call the stream's closures again.
  public func cancel(_ stream: StreamCallHandle) {
    guard calls.removeValue(forKey: stream.callID) != nil else { return }
    sendCancel(stream.callID)
  }

  /// Closes the socket. Open calls end with `cancelled`.
  public func close() { close(because: Status(.cancelled, "The channel was closed.")) }

  /// Closes the socket.
  ///
  /// - Parameter status: The status with which open calls and later calls fail.
  func close(because status: Status) {
    closing = status
    flushBundle()
    sweep.cancel()
    if let hook { thread.removeBeforePoll(hook) }
    hook = nil
    connection.close()
    failAll(status)
  }

  private func cancel(_ callID: UInt64) {
    guard let call = calls.removeValue(forKey: callID) else { return }
    sendCancel(callID)
    call.taker.end(.cancelledByCaller)
  }

  private func sendCancel(_ callID: UInt64) {
    let header = V1.RequestHeader(
      version: RequestHeaderVersion.current, callID: callID, kind: .cancel)
    if connection.canSend { gather(ArenaWireFrame(header: header), of: callID) }
  }

  private func nextCallID() -> UInt64 {
    lastCallID += 1
    return lastCallID
  }

  // MARK: Sending

  /// Sends a request whose call is already open. If sending fails, the call ends.
  private func send(
    _ callID: UInt64, _ header: V1.RequestHeader, _ request: some WireMessage,
    by deadline: ContinuousClock.Instant?
  ) {
    if let status = send(callID, header, request, deadline) { finish(callID, status) }
  }

  /// Sends a request, or queues it until the channel has a connection.
  ///
  /// - Returns: The reason if the channel can neither send nor queue the request.
  private func send(
    _ callID: UInt64, _ header: V1.RequestHeader, _ request: some WireMessage,
    _ deadline: ContinuousClock.Instant?
  ) -> Status? {
    if deadline != nil { armSweep() }
    guard hook != nil else { return closing }
    let frame = ArenaWireFrame(header: header, body: request)
    if waiting.isEmpty, connection.canSend {
      gather(frame, of: callID)
      return nil
    }
    guard waiting.count < Self.longestQueue else {
      return refusal ?? Status(.unavailable, "\(endpoint) does not answer; try again.")
    }
    waiting.append(
      QueuedRequest(callID: callID, frame: MessageFrame(size: frame.count) { frame.write(to: &$0) })
    )
    armSweep()
    return nil
  }

  /// The maximum number of requests that wait for a connection. Further requests fail.
  private static let longestQueue = 4096

  /// Adds a call's frame to the bundle of this turn.
  private func gather(_ frame: borrowing ArenaWireFrame, of callID: UInt64) {
    if frame.count > WireFrameBundle.largestFrame { flushBundle() }
    bundle.append(frame)
    gathered.append(callID)
    if bundle.isDue { flushBundle() }
  }

  /// Sends the frames of this turn. If the socket does not accept the frames, the frames wait.
  private func flushBundle() {
    guard bundle.count > 0 else { return }
    let isSent = bundle.withMessage { message in connection.send(copying: message) }
    if !isSent { keepBundle() }
    bundle.removeAll()
    gathered.removeAll(keepingCapacity: true)
  }

  private func keepBundle() {
    let frames = bundle.withMessage { message in
      var frames: [MessageFrame] = []
      guard var reader = try? WireFrameBundle.Reader(message) else { return frames }
      while let place = reader.next(in: message) {
        frames.append(MessageFrame(copying: message.extracting(place)))
      }
      return frames
    }
    waiting = zip(gathered, frames).map { QueuedRequest(callID: $0, frame: $1) } + waiting
    armSweep()
  }

  private func flushWaiting() {
    while let next = waiting.first {
      if isOpen(next.callID) {
        guard connection.send(next.frame) else { return }
      }
      waiting.removeFirst()
    }
  }

  private func isOpen(_ callID: UInt64) -> Bool {
    calls[callID] != nil || session?.callID == callID
  }

  // MARK: Receiving

  private func handle(_ message: inout ReceiveBuffer) {
    // This code removes the frame from the message, because a reply keeps these bytes until its
    // caller has read them.
    let bytes = message.takePart(0)
    do throws(WireError) {
      var frames = try bytes.withBytes { (bytes) throws(WireError) in
        try WireFrameBundle.Reader(bytes)
      }
      while let place = bytes.withBytes({ bytes in frames.next(in: bytes) }) {
        let parts = try bytes.withBytes { (bytes) throws(WireError) in
          try WireFrame.split(bytes, at: place)
        }
        let header = try bytes.withBytes { (bytes) throws(WireError) in
          try V1.ReplyHeader(packed: bytes.extracting(parts.header))
        }
        take(
          header, ReceivedWireFrame(bytes: bytes, size: place.count, body: parts.body), of: &message
        )
      }
    } catch {
      failAll(Self.unreadable)
    }
  }

  private func take(
    _ header: V1.ReplyHeader, _ frame: ReceivedWireFrame, of message: inout ReceiveBuffer
  ) {
    let status = header.status.flatMap { Status($0) }
    let callID = header.callID
    switch header.kind {
    case .reply where callID == 0:
      // The server could not read one of the client's frames, so the reply does not identify the
      // call.
      failAll(status ?? Self.unreadable)
    case .item:
      deliverItem(callID, header, frame, &message)
    case .reply where status == nil:
      deliverReply(callID, frame)
    case .reply, .end:
      finish(callID, status)
    case .unspecified, .unrecognized:
      break
    }
  }

  /// The status after an unreadable message.
  ///
  /// The message may have contained an item. So the channel fails every call, and callers that need
  /// every item start again.
  private static let unreadable = Status(
    .unavailable, "The other side sent a message that cannot be decoded; try again.",
    reason: .malformed)

  private func deliverItem(
    _ callID: UInt64, _ header: V1.ReplyHeader, _ frame: ReceivedWireFrame,
    _ message: inout ReceiveBuffer
  ) {
    let call = callID == 0 ? session?.call : calls[callID]
    do throws(WireError) {
      switch call?.taker {
      case .items(let take, _):
        try frame.withBody { (body) throws(WireError) in try take(body, frame.size) }
      case .rawItems(let take, _):
        guard let raw = message.takeRawFrames(header) else {
          return refuseItem(of: callID, "raw frames are missing or too many")
        }
        try frame.withBody { (body) throws(WireError) in try take(body, raw) }
      case .task, .reply, nil: return
      }
    } catch {
      refuseItem(of: callID, "\(error)")
    }
  }

  private func refuseItem(of callID: UInt64, _ why: String) {
    if callID != 0 { sendCancel(callID) }
    finish(callID, .unreadableReply(why))
  }

  private func deliverReply(_ callID: UInt64, _ frame: ReceivedWireFrame) {
    guard let call = calls[callID], !call.isStream else { return }
    calls[callID] = nil
    call.taker.take(.success(frame))
  }

  /// Ends the call or the stream that has the given id. The session stream has the id 0 and also
  /// the id of its call.
  private func finish(_ callID: UInt64, _ status: Status?) {
    if let call = calls.removeValue(forKey: callID) {
      call.taker.end(status)
    } else if let session, callID == 0 || callID == session.callID {
      self.session = nil
      session.call.taker.end(status)
    }
  }

  // MARK: Losses and deadlines

  private func connectionDidChange(_ isUp: Bool) {
    if isUp {
      flushWaiting()
    } else {
      failAll(
        Status(.unavailable, "The connection to \(endpoint) was lost; try again."),
        keepWaiting: true)
    }
    onConnectionChange?(isUp)
  }

  private func failAll(_ status: Status, keepWaiting: Bool = false) {
    let kept = Set(keepWaiting ? waiting.map(\.callID) : [])
    if !keepWaiting { waiting = [] }
    for callID in calls.keys.sorted() where !kept.contains(callID) { finish(callID, status) }
    if let session, !kept.contains(session.callID) { finish(0, status) }
  }

  private func armSweep() {
    guard !sweep.isSet, hook != nil else { return }
    // The closure refers to `self` as `unowned`, because an object's first weak reference makes
    // every later retain slow. `close` cancels `sweep` before the release of the channel.
    sweep.set(after: .milliseconds(20)) { [unowned self] in sweepDeadlines() }
  }

  private func sweepDeadlines() {
    flushWaiting()
    let now = thread.now
    for (callID, call) in calls where call.deadline.map({ $0 <= now }) ?? false {
      if waiting.contains(where: { $0.callID == callID }) {
        waiting.removeAll { $0.callID == callID }
        finish(
          callID,
          refusal ?? Status(.unavailable, "\(endpoint) was not reached in time; try again."))
      } else {
        sendCancel(callID)
        finish(callID, Status(.deadlineExceeded, "\(endpoint) did not answer in time."))
      }
    }
    if !waiting.isEmpty || calls.values.contains(where: { $0.deadline != nil }) { armSweep() }
  }
}

private struct QueuedRequest {
  let callID: UInt64
  let frame: MessageFrame
}
