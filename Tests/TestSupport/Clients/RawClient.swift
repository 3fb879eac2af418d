import Bus
public import MeetingModel
public import Trials
public import Wire
public import ZeroMQ

/// A client that sends any request of a test and records every answer.
///
/// The client sends keep-alives only if the test requests them. The client closes its socket
/// without ending its session.
public actor RawClient {
  /// A frame that the client received.
  public struct Answer: Sendable {
    public let header: V1.ReplyHeader
    public let body: [UInt8]

    /// The size of the whole frame in bytes.
    public let size: Int

    /// The error of a failed call or of the end of a stream; `nil` for success.
    public var status: MeetingModel.Status? { header.status.flatMap { MeetingModel.Status($0) } }

    /// The events in an item of the session stream; empty for any other frame.
    public var events: [V1.SessionEvent] {
      guard header.kind == .item else { return [] }
      return (try? V1.SessionEvents(packed: body))?.events ?? []
    }

    /// The `SessionStarted` event in the first item of the session stream.
    public var started: V1.SessionStarted? {
      for case .sessionStarted(let started) in events.compactMap(\.event) { return started }
      return nil
    }
  }

  /// The socket thread of the client's sockets.
  public nonisolated let thread: SocketThread

  /// All received frames, in order.
  public nonisolated let answers = AwaitableEntryList<Answer>()

  /// The events of the client's connection.
  public nonisolated let connection = AwaitableEntryList<MonitorEvent>()

  /// The session id from the gateway. Every request header carries this id.
  public private(set) var sessionID: [UInt8] = []
  private var socket: Socket?
  private var watch: PollWatchID?
  private var timer: TimerID?
  private var lastCall: UInt64 = 0
  private var received: UInt64 = 0

  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Creates a client that is not connected.
  public init(on thread: SocketThread) { self.thread = thread }

  // MARK: Connecting

  /// Connects, and waits until the handshake succeeds.
  public func connect(to url: String, in context: ZMQContext) async throws {
    let socket = try Socket(.dealer, in: context)
    try socket.set(.linger(.zero))
    try socket.set(.sendHighWaterMark(0))
    try socket.set(.receiveHighWaterMark(0))
    _ = try thread.monitor(socket) { [connection] in connection.append($0) }
    watch = thread.watch(socket) { [unowned self] in assumeIsolated { $0.receive() } }
    try socket.connect(to: Endpoint(url))
    self.socket = consume socket
    try await connection.wait(for: "a connection to \(url)") {
      $0.contains { if case .handshakeSucceeded = $0 { true } else { false } }
    }
  }

  // A test that fails early does not call close(). The open socket would then cause a trap, which
  // would hide the failure.
  isolated deinit { close() }

  /// Closes the socket without ending the session.
  public func close() {
    if let watch { thread.unwatch(watch) }
    if let timer { thread.cancel(timer) }
    (watch, timer) = (nil, nil)
    socket = nil
  }

  /// Waits until the peer has closed the connection.
  public nonisolated func isDisconnected() async throws {
    try await connection.wait(for: "the end of the connection") { $0.contains(where: Self.isEnd) }
  }

  /// Whether the peer has closed the connection.
  public nonisolated var wasDisconnected: Bool { connection.entries.contains(where: Self.isEnd) }

  private static func isEnd(_ event: MonitorEvent) -> Bool {
    if case .disconnected = event { true } else { false }
  }

  private func receive() {
    while let message = try? socket?.receive() {
      guard let frames = try? message.last?.frames() else { continue }
      for answer in frames.compactMap({ Answer($0) }) {
        if answer.header.kind == .item { received += UInt64(answer.size) }
        answers.append(answer)
      }
    }
  }

  // MARK: Sending

  /// Sends a message unchanged.
  public func send(_ parts: [UInt8]...) throws { try send(message: parts) }

  /// Sends a message of several parts unchanged.
  public func send(message parts: [[UInt8]]) throws {
    guard try socket?.send(parts.map { MessageFrame($0) }) == .sent else { throw Failure.notSent }
  }

  /// Sends a call.
  ///
  /// - Parameter session: The session id in the header; `nil` for the client's own session.
  /// - Returns: The id of the call.
  @discardableResult
  public func send(
    _ method: UInt32, _ body: [UInt8] = [], session: [UInt8]? = nil, version: UInt32 = 1,
    kind: V1.RequestKind = .call, idempotencyKey: String = ""
  ) throws -> UInt64 {
    lastCall += 1
    let header = V1.RequestHeader(
      version: version, callID: lastCall, kind: kind, method: method, timeoutUs: 10_000_000,
      sessionID: session ?? sessionID, idempotencyKey: idempotencyKey)
    try send(WireFrame.pack(header: header, packedBody: body))
    return lastCall
  }

  /// Sends a call and waits for its answer.
  public func call(
    _ method: UInt32, _ body: [UInt8] = [], session: [UInt8]? = nil, version: UInt32 = 1
  ) async throws -> Answer {
    let id = try send(method, body, session: session, version: version)
    return try await answer(to: id)
  }

  /// Sends a typed call and waits for its answer.
  public func call<Request: WireMessage, Reply: WireMessage>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request
  ) async throws -> Answer {
    try await call(method.key, request.packed())
  }

  /// Waits for the answer to a call.
  public nonisolated func answer(to callID: UInt64) async throws -> Answer {
    try await answer("the answer to call \(callID)") { $0.header.callID == callID }
  }

  /// Waits for an answer that satisfies a condition.
  public nonisolated func answer(
    _ what: String, where matches: @escaping @Sendable (Answer) -> Bool
  ) async throws -> Answer {
    let answers = try await answers.wait(for: what) { $0.contains(where: matches) }
    guard let answer = answers.first(where: matches) else { throw Failure.noAnswer }
    return answer
  }

  /// Waits for the end of the session, and returns the error with which the session ended.
  public nonisolated func ending() async throws -> MeetingModel.Status? {
    try await answer("the end of the session") { $0.header.kind == .end }.status
  }

  // MARK: Sessions

  /// Opens a session, and waits until the session is open.
  ///
  /// - Parameters:
  ///   - isKeptAlive: Whether the client sends keep-alives after the start.
  ///   - resumed: The session to resume, and the positions that the session's client had reached.
  @discardableResult
  public func start(
    _ attendee: V1.AttendeeRecord, modality: String = "", features: [String] = [],
    isKeptAlive: Bool = true,
    resuming resumed: (session: [UInt8], positions: [V1.StreamPosition])? = nil
  ) async throws -> V1.SessionStarted {
    let before = answers.entries.count
    var request = attendee.start(modality)
    request.features = features
    if let resumed { (request.sessionID, request.positions) = resumed }
    try send(V1.AudioVideoFacadeMethods.start.key, request.packed())
    let answers = try await answers.wait(for: "the start of a session") {
      $0.dropFirst(before).contains { $0.started != nil || $0.header.kind == .end }
    }
    guard let started = answers.dropFirst(before).compactMap(\.started).first else {
      throw Failure.refused(answers.last?.status)
    }
    sessionID = started.sessionID
    if isKeptAlive { keepAlive(every: .milliseconds(Int(started.keepAliveMs))) }
    return started
  }

  /// Sends a keep-alive now and after each interval.
  ///
  /// - Parameter acknowledges: Whether the keep-alives acknowledge the bytes received.
  public func keepAlive(every interval: Duration, acknowledges: Bool = true) {
    if let timer { thread.cancel(timer) }
    timer = thread.schedule(after: interval) { [unowned self] in
      assumeIsolated { $0.keepAlive(every: interval, acknowledges: acknowledges) }
    }
    let request = V1.KeepAliveRequest(receivedBytes: acknowledges ? received : 0)
    _ = try? send(V1.AudioVideoFacadeMethods.keepAlive.key, request.packed())
  }

  /// Asks the gateway to mute or unmute this attendee.
  public func setMuted(_ isMuted: Bool) async throws -> Answer {
    try await call(
      V1.AudioVideoFacadeMethods.setMuted, V1.SetMutedRequest(isMuted: isMuted))
  }

  /// An error of the client.
  public enum Failure: Error {
    /// The socket did not accept the message.
    case notSent

    /// The expected answer did not arrive.
    case noAnswer

    /// The server rejected the request with this status.
    case refused(MeetingModel.Status?)
  }
}

extension RawClient.Answer: CustomStringConvertible {
  /// The kind, the call id, the status and the size of the frame.
  public var description: String {
    "\(header.kind) \(header.callID) \(status.map { "\($0)" } ?? "ok"), \(size) bytes"
  }

  fileprivate init?(_ bytes: [UInt8]) {
    guard let parts = try? WireFrame.split(bytes.span.bytes),
      let header = try? V1.ReplyHeader(packed: Array(bytes[parts.header]))
    else { return nil }
    self.init(header: header, body: Array(bytes[parts.body]), size: bytes.count)
  }
}

extension V1.AttendeeRecord {
  /// Returns the request that opens this attendee's session.
  public func start(_ modality: String = "") -> V1.StartRequest {
    V1.StartRequest(
      meetingID: meetingID, attendeeID: attendeeID + modality, joinToken: joinToken,
      clientName: "a test")
  }
}

/// Runs `body` with a client that is connected to `url`, or to the first gateway if `url` is `nil`.
public func withRawClient(
  _ installation: Installation, at url: String? = nil, _ body: (RawClient) async throws -> Void
) async throws {
  let client = RawClient(on: installation.thread)
  do {
    try await client.connect(
      to: url ?? installation.gateway.clientURL, in: installation.context)
    try await body(client)
  } catch {
    await client.close()
    throw error
  }
  await client.close()
}
