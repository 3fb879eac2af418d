internal import MeetingModel
public import ZeroMQ
internal import ZMTP

/// Listens for clients that speak ZMTP (37/ZMTP), at Unix sockets and tcp ports, as a ROUTER does.
///
/// libzmq keeps the frames of an unfinished message where no limit reaches, does not tell who left,
/// takes 28 KB for each peer, hands what is sent over message by message, and aborts when
/// descriptors run out. Here what a stranger can make the process keep has a bound
/// (``ListenerOptions``), a peer that goes is noticed at once, and what a turn of the loop sends to
/// a peer leaves in one call. A message that many get is kept once.
///
/// A message has one frame or more; each is handed on as it comes. A connection's ``Route`` is ours
/// alone: what name a peer gives itself says nothing.
///
/// Lives on its ``ZeroMQ/SocketThread``.
public final class ClientListener {
  /// Called for each frame of a message, which is lent for the call. It may send, and hang up.
  public var onFrame: (ClientConnection, Span<UInt8>) -> Void = { _, _ in }

  /// Called when a peer breaks a limit of messages, before its connection ends: what is sent to it
  /// now is the last that it hears.
  public var onViolation: (ClientConnection) -> Void = { _ in }

  /// Called once for each connection that is no more, never while a frame is looked at.
  public var onClose: (ClientConnection) -> Void = { _ in }

  /// Hears what becomes of connections, to count it.
  public var onChange: (ConnectionEvent) -> Void = { _ in }

  /// Called when a connection that was behind has taken all that it was sent.
  public var onCaughtUp: (ClientConnection) -> Void = { _ in }

  /// Where it listens, with the ports that the system chose.
  public var endpoints: [Endpoint] { listening.map(\.endpoint) }

  /// How many are connected.
  public var count: Int { connections.count }

  /// Connections at once: what the options say, and no more than three quarters of the files that
  /// the process may open.
  public let mostConnections: Int

  let thread: SocketThread
  let options: ListenerOptions
  var epoll: Epoll
  private var ready: [Epoll.Event] = []
  private(set) var listening: [ListeningSocket] = []
  var connections: [UInt64: ClientConnection] = [:]
  var lastNumber = firstNumber

  /// Those that were ended from here and have not gone.
  var leaving: [UInt64: Leaving] = [:]

  /// Who has not said yet who it is.
  var handshakes: Set<UInt64> = []

  /// Connections of each address of another machine.
  var perHost: [[UInt8]: Int] = [:]

  /// What is kept of all connections, as it was counted last.
  var kept = 0

  /// Nobody is accepted for now.
  var isFull = false

  /// The system had no room for one more; that is tried again once somebody goes, or in a second.
  var isOutOfFiles = false

  private var dirty: [ClientConnection] = []

  /// Those that have read enough of their answers to be read on.
  private var resumed: [ClientConnection] = []
  private var ended: [ClientConnection] = []
  private var watch: WatchID?
  private var hook: HookID?
  let sweep: Alarm
  var stalls: StallWatch?

  /// How often ``ListenerOptions/admission`` had let somebody in no more when that was looked at
  /// last.
  var narrowingsSeen = 0
  let departures = Departures<UInt64>()

  /// Where what comes is read into, and where small messages are put together.
  private var incoming = [UInt8](repeating: 0, count: ClientConnection.gathered)
  private var gathering: [UInt8] = []

  /// The numbers below name the sockets that listen.
  private static let firstNumber: UInt64 = 16

  private static let eventsPerTurn = 256

  /// The answers to so many bytes may wait beyond ``ListenerOptions/unreadReplies``.
  private static let bytesAtOnce = 2_048

  /// Binds every endpoint; an ipc endpoint is locked first, so that no second process steals it.
  ///
  /// - Throws: ``ZeroMQ/ZeroMQError`` when an endpoint is taken or cannot be bound.
  public init(
    at endpoints: [Endpoint], on thread: SocketThread, options: ListenerOptions = ListenerOptions()
  ) throws(ZeroMQError) {
    precondition(endpoints.count < Self.firstNumber, "A listener has fifteen endpoints at most.")
    (self.thread, self.options) = (thread, options)
    sweep = Alarm(on: thread)
    mostConnections = min(options.connections, OpenFiles.limit * 3 / 4)
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

  /// The connection that a route names, while it is there.
  public func connection(_ route: Route) -> ClientConnection? {
    route.number.flatMap { connections[$0] }
  }

  /// Sends a message of one frame at the end of this turn.
  public func send(_ message: FramedMessage, to connection: ClientConnection) -> SendResult {
    guard connection.ending == nil else { return .unroutable }
    connection.outgoing.append(message)
    markDirty(connection)
    return .sent
  }

  /// Sends a message of one frame that nobody else is sent, at the end of this turn.
  ///
  /// - Parameters:
  ///   - size: The number of bytes.
  ///   - initializer: Must append exactly `size` bytes to the span it is given.
  public func send(
    to connection: ClientConnection, size: Int,
    initializingWith initializer: (inout OutputRawSpan) -> Void
  ) -> SendResult {
    guard connection.ending == nil else { return .unroutable }
    connection.outgoing.appendOwn { bytes in
      ZMTPFrame.append(size: size, to: &bytes, initializingWith: initializer)
    }
    markDirty(connection)
    return .sent
  }

  /// Sends a copy of these bytes as a message of one frame, at the end of this turn.
  public func send(copying bytes: Span<UInt8>, to connection: ClientConnection) -> SendResult {
    guard connection.ending == nil else { return .unroutable }
    connection.outgoing.appendOwn { ZMTPFrame.append(bytes, to: &$0) }
    markDirty(connection)
    return .sent
  }

  /// Sends a message that begins with one frame and goes on with raw ones.
  func send(
    to connection: ClientConnection, size: Int, raw: [Frame],
    initializingWith initializer: (inout OutputRawSpan) -> Void
  ) -> SendResult {
    guard connection.ending == nil else { return .unroutable }
    connection.outgoing.appendOwn { bytes in
      ZMTPFrame.append(
        size: size, isLast: raw.isEmpty, to: &bytes, initializingWith: initializer)
      for (index, frame) in raw.enumerated() {
        frame.withBytes { body in
          ZMTPFrame.append(
            unsafe body._unsafeView(as: UInt8.self), isLast: index + 1 == raw.count, to: &bytes)
        }
      }
    }
    markDirty(connection)
    return .sent
  }

  func markDirty(_ connection: ClientConnection) {
    guard !connection.isDirty, !connection.isBlocked else { return }
    connection.isDirty = true
    dirty.append(connection)
  }

  /// The connection's time to be of use begins anew.
  public func wasUsed(_ connection: ClientConnection) {
    connection.lastUse = thread.now
    connection.isUseful = true
    connection.refusals = 0
  }

  /// What the connection has sent was refused. One that goes on like that is ended.
  public func wasRefused(_ connection: ClientConnection) {
    connection.isUseful = false
    connection.refusals += 1
    if connection.refusals > options.refusals { end(connection, .flooded) }
  }

  /// The connection may be of no use from now on.
  public func exempt(_ connection: ClientConnection) {
    connection.isExempt = true
    connection.isUseful = true
  }

  /// Ends a connection at the end of this turn, once what waits for it was sent as far as that
  /// goes at once.
  public func hangUp(_ connection: ClientConnection) { end(connection, .dismissed) }

  /// Sends what came together in this turn.
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

  func write(_ connection: ClientConnection) {
    let interest = connection.interest
    switch connection.write(through: &gathering) {
    case .all:
      if connection.isBlocked {
        connection.isBlocked = false
        onCaughtUp(connection)
      }
    case .blocked: connection.isBlocked = true
    case .broken:
      // What it sent before it went is still to be read; the end follows.
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

  private func serve(_ connection: ClientConnection, _ event: Epoll.Event) {
    if event.isWritable, connection.isBlocked { write(connection) }
    if connection.isPaused {
      if event.isHungUp { end(connection, .ended) }
    } else if event.isReadable || event.isHungUp {
      read(connection)
    }
  }

  private func read(_ connection: ClientConnection) {
    switch connection.read(into: &incoming) {
    case .nothing: return
    case .end: return end(connection, .ended)
    case .bytes(let count):
      let bytes = incoming
      take(bytes.span.extracting(0..<count), from: connection)
    }
  }

  /// Goes on with what was read when too many answers waited.
  private func takeUnread(of connection: ClientConnection) {
    let bytes = connection.unread
    connection.unread = []
    take(bytes.span, from: connection)
  }

  /// Looks at what was read, a piece at a time: a few bytes may ask for many. The rest is kept
  /// while too many answers wait.
  private func take(_ bytes: Span<UInt8>, from connection: ClientConnection) {
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

  /// Counts what is kept of a connection, and waits for what there is to wait for.
  private func settle(_ connection: ClientConnection, before: Epoll.Interest) {
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

  /// Too much is kept: whoever makes the process keep most of it goes.
  private func endLargest() {
    let largest = connections.values.lazy.filter { $0.ending == nil }.max { $0.kept < $1.kept }
    guard let largest else { return }
    end(largest, .overBudget)
    // At once: until it is buried what is kept of it would count, and each event end one more.
    largest.forgetKept(limits: options.limits)
    kept += largest.kept - largest.keptCounted
    largest.keptCounted = largest.kept
  }

  // MARK: Ending

  /// Nothing more is read from the connection or sent to it, and soon it is gone.
  func end(_ connection: ClientConnection, _ cause: ConnectionEvent) {
    guard connection.ending == nil else { return }
    connection.ending = cause
    ended.append(connection)
  }

  /// Lets go of those that have ended. Not while one of them is read.
  func bury() {
    while let connection = ended.popLast() {
      // The reason of an end is worth a try.
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

  /// Waits until the peers that are connected now have left, but not longer than `limit`.
  public func departure(within limit: Duration) async {
    await departures.wait(
      for: Set(connections.keys).union(leaving.keys), within: limit, on: thread)
  }

  /// Ends every connection, and listens no more. Nobody is called any more.
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
