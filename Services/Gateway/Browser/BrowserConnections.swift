import Bus
import Logging
import MeetingModel
import NIOCore
import ServiceHost
import Storage
import Wire

/// The browsers that are connected to a gateway.
///
/// This object processes events of the connections and tracks what each client has received.
/// At the end of each turn of the socket thread, this object passes the output to each event loop.
/// ``BrowserSessions`` carries out the clients' requests. All methods run on the gateway's socket
/// thread.
final class BrowserConnections {
  let mailbox: BrowserEventQueue
  private let context: GatewayContext
  private let metrics: BrowserConnectionMetrics
  private let admission: SessionAdmission
  private let calls: SessionCalls
  private let tasks: GatewayTasks

  /// Admits the browsers and carries out their requests.
  private(set) lazy var sessions = BrowserSessions(
    of: self, admission, calls, tasks, in: context)
  private(set) var connections: [BrowserConnectionID: BrowserConnection] = [:]
  private var byToken = TokenConnections<JoinToken>()
  private var withOutput: [BrowserConnection] = []
  private var outboxes: [ObjectIdentifier: EventLoopOutbox] = [:]
  private var meetings: [MeetingID: MeetingSignalFrames] = [:]
  var memory = ResumeMemory()

  private var isStepping = false

  /// How long a client may stay connected before it joins.
  private static let longestWait = Duration.seconds(600)

  /// How long a client may take to close its connection after its session has ended.
  private static let departure = Duration.seconds(5)

  /// The maximum time between two pings to a client.
  private static let pingInterval = Duration.seconds(4)

  init(
    _ mailbox: BrowserEventQueue, _ metrics: BrowserConnectionMetrics,
    _ admission: SessionAdmission,
    _ calls: SessionCalls, _ tasks: GatewayTasks, in context: GatewayContext
  ) {
    (self.mailbox, self.metrics, self.context) = (mailbox, metrics, context)
    (self.admission, self.calls, self.tasks) = (admission, calls, tasks)
  }

  // MARK: From connections

  /// Processes the pending events of all connections.
  func takeEvents() {
    for event in mailbox.take() {
      switch event {
      case .opened(let number, let handshake, let rim): open(number, handshake, rim)
      case .message(let number, let message): take(message, from: number)
      case .pong(let number, let payload): takePong(payload, from: number)
      case .closed(let number): remove(number)
      case .leaving(let number): connections[number]?.close(.unavailable)
      }
    }
  }

  private func open(
    _ number: BrowserConnectionID, _ handshake: WebSocketUpgradeRequest,
    _ rim: NIOLoopBound<WebSocketHandler>
  ) {
    let connection = BrowserConnection(
      number, handshake, rim, budget: context.settings.clientBudgetBytes, now: context.now
    ) { [unowned self] in withOutput.append($0) }
    connections[number] = connection
    if let oldest = byToken.open(number, with: handshake.token) {
      connections[oldest]?.close(.unavailable)
    }
    metrics.connections.set(connections.count)
    sessions.greet(number)
  }

  private func take(_ message: [UInt8], from number: BrowserConnectionID) {
    guard let connection = connections[number], !connection.isGone else { return }
    connection.took(1)
    hear(connection)
    guard spend(connection) else { return }
    do {
      connection.talk.take(try SignalCodec.frame(in: message), at: WallClock.nowMs)
    } catch {
      metrics.badFrames.increment()
      connection.talk.takeGarbage()
    }
    run(connection)
  }

  /// Processes a pong. Every pong counts against the request limit, because a client may send pongs
  /// without a ping.
  private func takePong(_ payload: [UInt8], from number: BrowserConnectionID) {
    guard let connection = connections[number], !connection.isGone else { return }
    connection.took(1)
    hear(connection)
    guard spend(connection) else { return run(connection) }
    connection.takePong(payload)
  }

  private func hear(_ connection: BrowserConnection) {
    connection.lastHeard = context.now
    connection.session?.lastHeard = context.now
  }

  /// Counts one message against the session's request limit. If the connection has no session,
  /// counts the message against the connection's own limit, which is smaller.
  ///
  /// - Returns: Whether the gateway may process the message.
  private func spend(_ connection: BrowserConnection) -> Bool {
    guard let session = connection.session else {
      guard connection.endedAt == nil, !connection.requests.take(now: context.now) else {
        return true
      }
      connection.close(.badFrame)
      return false
    }
    return context.charge(session) == nil
  }

  /// Carries out the pending commands of a connection's signaling.
  func run(_ connection: BrowserConnection) {
    for command in connection.talk.takeCommands() {
      switch command {
      case .send(let frame):
        connection.send([WebSocketServerFrame.binary(SignalCodec.message(frame))])
      case .close(let code): connection.close(code)
      default: sessions.carryOut(command, of: connection)
      }
    }
    connection.followTalk()
  }

  /// Reports the outcome of a browser's data message to the browser: the message is on disk, or
  /// `messaging` has refused the message.
  func sent(
    _ request: V1.SendDataMessageRequest, _ result: Result<V1.SendDataMessageReply, Status>,
    to number: BrowserConnectionID
  ) {
    guard let connection = connections[number] else { return }
    connection.talk.sent(request, result, at: WallClock.nowMs)
    run(connection)
  }

  private func remove(_ number: BrowserConnectionID) {
    guard let connection = connections.removeValue(forKey: number) else { return }
    byToken.close(number, with: connection.handshake.token)
    metrics.connections.set(connections.count)
    connection.isGone = true
    if let session = connection.session, session.resumesByNumber {
      memory.remember(session.id, connection.resumeState(of: session), at: context.now)
    }
    leaveMeeting(connection)
    sessions.depart(number, connection.session?.number)
    connection.session = nil
  }

  // MARK: Meetings

  /// Subscribes a connection to the frames of a meeting.
  func enter(
    _ connection: BrowserConnection, _ id: MeetingID, levels: @escaping () -> ParticipantLevels?
  ) {
    leaveMeeting(connection)
    let frames = meetings[id] ?? makeFrames(levels)
    frames.users += 1
    meetings[id] = frames
    connection.meeting = frames
  }

  private func makeFrames(_ levels: @escaping () -> ParticipantLevels?) -> MeetingSignalFrames {
    MeetingSignalFrames(
      board: levels, onSpeech: { [unowned self] in keepStepping() }, now: { WallClock.nowMs })
  }

  private func leaveMeeting(_ connection: BrowserConnection) {
    guard let frames = connection.meeting else { return }
    connection.meeting = nil
    frames.users -= 1
    guard frames.users == 0 else { return }
    meetings = meetings.filter { $0.value !== frames }
  }

  // MARK: Time

  /// Passes the output to the event loops, at the end of a turn of the socket thread.
  func flush() {
    guard !withOutput.isEmpty else { return }
    var outputs: [ObjectIdentifier: [QueuedBrowserOutput]] = [:]
    var next = 0
    while next < withOutput.count {
      let connection = withOutput[next]
      next += 1
      run(connection)
    }
    for connection in withOutput {
      let output = connection.takeOutput()
      guard !output.frames.isEmpty || output.close != nil || output.taken > 0 else { continue }
      let id = ObjectIdentifier(output.rim.eventLoop)
      if outboxes[id] == nil { outboxes[id] = EventLoopOutbox(output.rim.eventLoop) }
      outputs[id, default: []].append(output)
    }
    withOutput.removeAll(keepingCapacity: true)
    for (id, outputs) in outputs { outboxes[id]?.post(outputs) }
  }

  /// Pings the clients and closes silent connections, twice a second.
  func tick() {
    let now = context.now
    var isMediaAway = false
    memory.forgetOld(at: now)
    for connection in connections.values {
      if let endedAt = connection.endedAt {
        if ContinuousClock.now - endedAt > Self.departure { connection.close(.normal) }
        continue
      }
      if connection.session == nil {
        if now - connection.lastHeard > BrowserConnection.silence { connection.close(.silent) }
        if now - connection.openedAt > Self.longestWait, connection.talk.phase == .waiting {
          connection.close(.unavailable)
        }
      }
      if connection.owesPing || now - connection.lastPing >= Self.pingInterval {
        connection.ping(at: now)
      }
      connection.look(at: now)
      sessions.catchUp(connection)
      switch sessions.mediaContact(of: connection) {
      case .reachable: break
      case .away: isMediaAway = true
      case .gone: sendBack(connection)
      }
      if connection.wish?.isNative == true { keepStepping() }
    }
    guard isMediaAway else { return }
    context.after(Self.mediaPatience) { [weak self] in self?.sendBackWithoutMedia() }
  }

  /// The time that the gateway waits for a lost instance of `media` before the gateway closes the
  /// connections of this instance's clients. If only the link to the instance broke, the gateway
  /// restores the link within this time.
  private static let mediaPatience = Duration.milliseconds(300)

  private func sendBackWithoutMedia() {
    for connection in connections.values where sessions.mediaContact(of: connection) != .reachable {
      sendBack(connection)
    }
  }

  /// Closes the connection of a client whose instance of `media` the gateway has lost.
  ///
  /// No other instance has the media state of this client, so the client reconnects and negotiates
  /// again.
  private func sendBack(_ connection: BrowserConnection) {
    guard let session = connection.session, connection.pictures.place != nil else { return }
    connection.pictures.place = nil
    context.logger.step(
      "Sent a browser to the start of its negotiation, because its media is lost", of: session.label
    )
    connection.close(.unavailable)
  }

  /// Sends speech levels five times a second while any attendee speaks. Also sends empty frames to
  /// native clients.
  private func step() {
    var frames: [ObjectIdentifier: ByteBuffer] = [:]
    for meeting in meetings.values { frames[ObjectIdentifier(meeting)] = meeting.step() }
    var hasNative = false
    for connection in connections.values {
      guard let meeting = connection.meeting, connection.endedAt == nil else { continue }
      let isNative = connection.wish?.isNative == true
      hasNative = hasNative || isNative
      if let levels = frames[ObjectIdentifier(meeting)], connection.hearsLevels {
        if connection.isCongested {
          connection.session?.owesLevels = true
        } else {
          connection.send([levels])
        }
      } else if isNative {
        // The native client sends its queued frames only when it receives a frame.
        connection.send([meeting.frame(.audioMetadata) { $0.audioMetadata = .init() }])
      }
    }
    if hasNative || !frames.isEmpty { keepStepping() }
  }

  private func keepStepping() {
    guard !isStepping else { return }
    isStepping = true
    context.after(RecentSpeakers.step) { [weak self] in
      guard let self else { return }
      isStepping = false
      step()
    }
  }

  /// Closes all connections before the process stops.
  func drain() {
    for connection in connections.values { connection.close(.unavailable) }
    flush()
  }
}

extension GatewayClientSession {
  /// Whether the client identifies its session by a number that the client chose, and resumes with
  /// this number.
  fileprivate var resumesByNumber: Bool { route == nil }
}
