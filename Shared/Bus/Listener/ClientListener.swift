internal import MeetingModel
public import ZeroMQ
internal import ZMTP

/// A listener that accepts ZMTP clients (37/ZMTP) on Unix sockets and tcp ports, and acts as a
/// ROUTER.
///
/// This listener does not use libzmq, because libzmq keeps the frames of an unfinished message
/// without a limit, and does not report disconnects. libzmq also uses 28 KB per peer, sends each
/// message in a separate system call, and aborts when no descriptors are left.
///
/// This listener limits the memory that an unauthenticated peer can use (``ListenerLimits``), and
/// detects a disconnect immediately. The listener sends all messages of one turn to a peer in one
/// call, and stores a message to many peers only once.
///
/// A message has one or more frames. The listener delivers each frame when the frame arrives. The
/// listener assigns each connection a ``RoutingID``. The listener ignores the name that a peer
/// chooses.
///
/// All calls run on its ``ZeroMQ/SocketThread``.
public final class ClientListener {
  /// Called with each frame of a message. The frame is valid during the call only.
  ///
  /// The closure may send messages and may call ``hangUp(_:)``.
  public var onFrame: (ListenerPeerConnection, Span<UInt8>) -> Void = { _, _ in }

  /// Called when a peer violates the protocol, or exceeds a limit of messages, before the peer's
  /// connection ends.
  ///
  /// A message that the closure sends is the last message that the peer receives.
  public var onViolation: (ListenerPeerConnection) -> Void = { _ in }

  /// Called once for each closed connection, and never while the listener processes a frame.
  public var onClose: (ListenerPeerConnection) -> Void = { _ in }

  /// Called for each event of a connection, for the metrics.
  public var onChange: (ConnectionEvent) -> Void = { _ in }

  /// Called when the listener has sent all queued output of a connection that was behind
  /// (``ListenerPeerConnection/isBehind``).
  public var onCaughtUp: (ListenerPeerConnection) -> Void = { _ in }

  /// The endpoints, with the ports that the system chose.
  public var endpoints: [Endpoint] { listening.map(\.endpoint) }

  /// The number of connections.
  public var count: Int { connections.count }

  /// The maximum number of simultaneous connections: the value of ``ListenerLimits/connections``,
  /// but at most three quarters of the number of files that the process may open.
  public let mostConnections: Int

  let thread: SocketThread
  let options: ListenerLimits
  var epoll: Epoll
  private var ready: [Epoll.Event] = []
  private(set) var listening: [ListeningSocket] = []
  var connections: [UInt64: ListenerPeerConnection] = [:]
  var lastNumber = firstNumber

  /// Connections that the listener ended and whose peers are still connected.
  var leaving: [UInt64: Leaving] = [:]

  /// Connections whose handshake is not complete.
  var handshakes: Set<UInt64> = []

  /// The number of connections per address of another machine.
  var perHost: [[UInt8]: Int] = [:]

  /// The memory kept for all connections at the last count, in bytes.
  var kept = 0

  /// Whether the listener currently accepts no connections.
  var isFull = false

  /// Whether the listener failed to accept a connection because the system had no descriptor or no
  /// memory left.
  ///
  /// The listener tries to accept connections again after a connection closes or in the next sweep.
  var isOutOfFiles = false

  private var dirty: [ListenerPeerConnection] = []

  /// Paused connections whose peers have read enough answers. The listener reads from these
  /// connections again.
  private var resumed: [ListenerPeerConnection] = []
  private var ended: [ListenerPeerConnection] = []
  private var watch: PollWatchID?
  private var hook: SocketThreadHookID?
  let sweep: ThreadTimer
  var stalls: ProcessStallDetector?

  /// The value of ``KeyAdmission/narrowings`` at the last sweep.
  var narrowingsSeen = 0
  let departures = ConnectionCloseWaits<UInt64>()

  /// The buffer for input.
  private var incoming = [UInt8](repeating: 0, count: ListenerPeerConnection.gathered)

  /// The buffer in which the listener joins small messages.
  private var gathering: [UInt8] = []

  /// The lowest number that the listener assigns to a connection. Smaller numbers identify the
  /// listening sockets.
  private static let firstNumber: UInt64 = 16

  private static let eventsPerTurn = 256

  /// The number of bytes that the listener parses in one piece. The answers to these bytes may
  /// exceed ``ListenerLimits/unreadReplies``.
  private static let bytesAtOnce = 2_048

  /// Binds every endpoint. The listener locks an ipc endpoint before it binds the endpoint, so that
  /// no second process takes the endpoint over.
  ///
  /// - Throws: ``ZeroMQ/ZeroMQError`` when an endpoint is in use, or when this process cannot bind
  ///   an endpoint.
  public init(
    at endpoints: [Endpoint], on thread: SocketThread, options: ListenerLimits = ListenerLimits()
  ) throws(ZeroMQError) {
    precondition(endpoints.count < Self.firstNumber, "A listener has fifteen endpoints at most.")
    (self.thread, self.options) = (thread, options)
    sweep = ThreadTimer(on: thread)
    mostConnections = min(options.connections, OpenFileLimit.limit * 3 / 4)
    epoll = try Epoll(findingAtMost: Self.eventsPerTurn)
    for endpoint in endpoints {
      let socket = try ListeningSocket(at: endpoint, backlog: options.backlog)
      try epoll.add(socket.descriptor, UInt64(listening.count), .read)
      listening.append(socket)
    }
    watch = thread.watch(fileDescriptor: epoll.descriptor) { [unowned self] in turn() }
    hook = thread.addBeforePoll(isLast: true) { [unowned self] in flush() }
  }

  // MARK: Sending

  /// Returns the connection of a route; `nil` if the connection is not open.
  public func connection(_ route: RoutingID) -> ListenerPeerConnection? {
    route.number.flatMap { connections[$0] }
  }

  /// Sends a message of one frame at the end of this turn.
  public func send(_ message: ZMTPFramedMessage, to connection: ListenerPeerConnection)
    -> SendResult
  {
    guard connection.ending == nil else { return .unroutable }
    connection.outgoing.append(message)
    markDirty(connection)
    return .sent
  }

  /// Sends a message of one frame to one peer at the end of this turn.
  ///
  /// - Parameters:
  ///   - size: The number of bytes.
  ///   - initializer: Must append exactly `size` bytes to its span.
  public func send(
    to connection: ListenerPeerConnection, size: Int,
    initializingWith initializer: (inout OutputRawSpan) -> Void
  ) -> SendResult {
    guard connection.ending == nil else { return .unroutable }
    connection.outgoing.appendOwn { bytes in
      ZMTPFrameWriter.append(size: size, to: &bytes, initializingWith: initializer)
    }
    markDirty(connection)
    return .sent
  }

  /// Sends a copy of these bytes as a message of one frame, at the end of this turn.
  public func send(copying bytes: Span<UInt8>, to connection: ListenerPeerConnection) -> SendResult
  {
    guard connection.ending == nil else { return .unroutable }
    connection.outgoing.appendOwn { ZMTPFrameWriter.append(bytes, to: &$0) }
    markDirty(connection)
    return .sent
  }

  /// Sends a message of one frame, followed by raw frames.
  func send(
    to connection: ListenerPeerConnection, size: Int, raw: [MessageFrame],
    initializingWith initializer: (inout OutputRawSpan) -> Void
  ) -> SendResult {
    guard connection.ending == nil else { return .unroutable }
    connection.outgoing.appendOwn { bytes in
      ZMTPFrameWriter.append(
        size: size, isLast: raw.isEmpty, to: &bytes, initializingWith: initializer)
      for (index, frame) in raw.enumerated() {
        frame.withBytes { body in
          ZMTPFrameWriter.append(
            unsafe body._unsafeView(as: UInt8.self), isLast: index + 1 == raw.count, to: &bytes)
        }
      }
    }
    markDirty(connection)
    return .sent
  }

  func markDirty(_ connection: ListenerPeerConnection) {
    guard !connection.isDirty, !connection.isBlocked else { return }
    connection.isDirty = true
    dirty.append(connection)
  }

  /// Marks the connection as in use, so that its idle time starts again.
  public func wasUsed(_ connection: ListenerPeerConnection) {
    connection.lastUse = thread.now
    connection.isUseful = true
    connection.refusals = 0
  }

  /// Counts a refused request. Ends the connection after too many consecutive refused requests.
  public func wasRefused(_ connection: ListenerPeerConnection) {
    connection.isUseful = false
    connection.refusals += 1
    if connection.refusals > options.refusals { end(connection, .flooded) }
  }

  /// Exempts the connection from the idle limit.
  public func exempt(_ connection: ListenerPeerConnection) {
    connection.isExempt = true
    connection.isUseful = true
  }

  /// Ends a connection at the end of this turn, after one more attempt to send the connection's
  /// queued output.
  public func hangUp(_ connection: ListenerPeerConnection) { end(connection, .dismissed) }

  /// Sends the output that this turn collected.
  private func flush() {
    repeat {
      while let connection = resumed.popLast() {
        if connection.ending == nil { takeUnread(of: connection) }
      }
      let connections = dirty
      dirty.removeAll(keepingCapacity: true)
      for connection in connections {
        connection.isDirty = false
        if connection.ending == nil { write(connection) }
      }
    } while !dirty.isEmpty || !resumed.isEmpty
    bury()
  }

  func write(_ connection: ListenerPeerConnection) {
    let interest = connection.interest
    switch connection.write(through: &gathering) {
    case .all:
      if connection.isBlocked {
        connection.isBlocked = false
        onCaughtUp(connection)
      }
    case .blocked: connection.isBlocked = true
    case .broken:
      // The peer's last input is still unread. The listener reports the end of the connection after
      // this input.
      connection.outgoing.removeAll()
      connection.isBlocked = false
      connection.isPaused = false
    }
    settle(connection, before: interest)
  }

  // MARK: Receiving

  private func turn() {
    epoll.poll(into: &ready)
    for event in ready {
      if event.number < Self.firstNumber {
        acceptWaiting(at: listening[Int(event.number)])
      } else if let connection = connections[event.number] {
        if connection.ending == nil { serve(connection, event) }
      } else {
        discard(event.number, through: &incoming)
      }
    }
    bury()
  }

  private func serve(_ connection: ListenerPeerConnection, _ event: Epoll.Event) {
    if event.isWritable, connection.isBlocked { write(connection) }
    if connection.isPaused {
      if event.isHungUp { end(connection, .ended) }
    } else if event.isReadable || event.isHungUp {
      read(connection)
    }
  }

  private func read(_ connection: ListenerPeerConnection) {
    switch connection.read(into: &incoming) {
    case .nothing: return
    case .end: return end(connection, .ended)
    case .bytes(let count):
      let bytes = incoming
      take(bytes.span.extracting(0..<count), from: connection)
    }
  }

  /// Parses the input that the connection kept while its peer left too many answers unread.
  private func takeUnread(of connection: ListenerPeerConnection) {
    let bytes = connection.unread
    connection.unread = []
    take(bytes.span, from: connection)
  }

  /// Parses input in pieces, because a few bytes may contain many requests.
  ///
  /// Keeps the remaining bytes while too many answers are unread.
  private func take(_ bytes: Span<UInt8>, from connection: ListenerPeerConnection) {
    let wasKnown = connection.zmtp.peer != nil
    let interest = connection.interest
    var (frames, offset) = (0, 0)
    do throws(ZMTPError) {
      while offset < bytes.count, connection.ending == nil,
        connection.outgoing.ownCount <= options.unreadReplies
      {
        let end = min(offset + Self.bytesAtOnce, bytes.count)
        try connection.zmtp.receive(bytes.extracting(offset..<end)) { frame, _ in
          frames += 1
          if connection.ending == nil { onFrame(connection, frame) }
        }
        offset = end
      }
      if connection.ending == nil { connection.keep(bytes.extracting(offset..<bytes.count)) }
    } catch {
      if connection.zmtp.peer == nil {
        end(connection, .handshakeFailed)
      } else {
        onViolation(connection)
        end(connection, .protocolViolated)
      }
    }
    if connection.zmtp.hasOutput {
      connection.queueOutput()
      markDirty(connection)
    }
    if !wasKnown, connection.zmtp.peer != nil {
      handshakes.remove(connection.number)
      acceptAgain()
    }
    connection.note(frames: frames, at: thread.now)
    settle(connection, before: interest)
  }

  /// Updates the memory count of the connection, and the events for which the listener waits on the
  /// connection.
  private func settle(_ connection: ListenerPeerConnection, before: Epoll.Interest) {
    kept += connection.kept - connection.keptCounted
    connection.keptCounted = connection.kept
    if connection.ending == nil {
      let wasPaused = connection.isPaused
      connection.isPaused = connection.outgoing.ownCount > options.unreadReplies
      if wasPaused, !connection.isPaused, !connection.unread.isEmpty { resumed.append(connection) }
      if kept > options.keptBytes { endLargest() }
    }
    if connection.ending == nil, connection.interest != before {
      epoll.modify(connection.descriptor, connection.number, connection.interest)
    }
  }

  /// Ends the connection that uses the most memory. The listener calls this method when the total
  /// memory exceeds the limit.
  private func endLargest() {
    let largest = connections.values.lazy.filter { $0.ending == nil }.max { $0.kept < $1.kept }
    guard let largest else { return }
    end(largest, .overBudget)
    // This call frees the connection's memory now, because the connection may end only later.
    // Otherwise this memory would still count toward the limit, and the next check of the limit
    // would end another connection.
    largest.forgetKept(limits: options.limits)
    kept += largest.kept - largest.keptCounted
    largest.keptCounted = largest.kept
  }

  // MARK: Ending

  /// Ends a connection. After this call, the listener neither reads from the connection nor sends
  /// to it, and soon closes the connection.
  func end(_ connection: ListenerPeerConnection, _ cause: ConnectionEvent) {
    guard connection.ending == nil else { return }
    connection.ending = cause
    ended.append(connection)
  }

  /// Closes the connections that have ended.
  ///
  /// Do not call this method while the listener reads from one of these connections.
  func bury() {
    while let connection = ended.popLast() {
      // This last write tries to deliver the reason for the end.
      if connection.ending != .ended { _ = connection.write(through: &gathering) }
      connection.outgoing.removeAll()
      kept -= connection.keptCounted
      connections[connection.number] = nil
      handshakes.remove(connection.number)
      seeOff(connection)
      onChange(connection.ending ?? .ended)
      onClose(connection)
    }
    acceptAgain()
  }

  /// Waits, for at most `limit`, until the currently connected peers have disconnected.
  public func departure(within limit: Duration) async {
    await departures.wait(
      for: Set(connections.keys).union(leaving.keys), within: limit, on: thread)
  }

  /// Ends every connection and stops listening. After this call, this object calls no closure.
  public func close() {
    if let watch { thread.unwatch(watch) }
    if let hook { thread.removeBeforePoll(hook) }
    sweep.cancel()
    (watch, hook) = (nil, nil)
    for connection in connections.values {
      if connection.ending == nil { _ = connection.write(through: &gathering) }
      connection.ending = .dismissed
      ListeningSocket.close(connection.descriptor)
    }
    for connection in leaving.values { ListeningSocket.close(connection.descriptor) }
    (connections, leaving) = ([:], [:])
    (dirty, resumed, ended) = ([], [], [])
    for socket in listening { socket.close() }
    listening = []
    departures.endAll()
  }
}
