public import MeetingModel
internal import Wire
public import ZeroMQ

/// A publisher of one instance's event streams on an XPUB socket.
///
/// By design, late and absent subscribers miss events. This type sends beacons, which let each
/// subscriber detect missing events. All calls run on its ``SocketThread``.
public final class EventPublisher {
  /// The term in every event and beacon. Subscribers detect a restart by a new term.
  public let term: UInt64

  /// The fence in all beacons (`Media.GatewayAlive` in media.proto); 0 means no fence. The
  /// publisher sends a new fence in a beacon immediately.
  public var fence: UInt64 = 0 {
    didSet { if fence > 0, fence != oldValue { armBeacon(after: .zero) } }
  }

  /// The observer that counts events.
  public weak var observer: (any SocketEventObserver)?

  private let instance: String
  private let thread: SocketThread
  private var socket: Socket?
  private var watch: PollWatchID?
  private var monitor: SocketMonitorID?
  private var portWatch: SecuredPortGuard?
  private let lock: EndpointLock
  private var streams: [MeetingID: MeetingEventStream] = [:]
  private let alarm: ThreadTimer

  /// The meetings to list in the next extra beacon.
  private var unattended: Set<MeetingID> = []
  private let unattendedAlarm: ThreadTimer
  private var lastComplete: ContinuousClock.Instant?
  private var wantsComplete = false
  private var wanted: Set<MeetingID> = []
  private var isBeaconSoon = false
  private let schedule: BeaconSchedule

  /// Binds the socket and starts to send beacons. Call this initializer on `thread`.
  ///
  /// - Parameter port: An additional port for peers on other hosts.
  /// - Throws: ``ZeroMQError`` if the endpoint is in use, or if libzmq cannot bind the endpoint.
  public convenience init(
    at endpoint: Endpoint, securedAt port: SecuredPort? = nil, instance: String, term: UInt64,
    in context: ZMQContext, on thread: SocketThread
  ) throws(ZeroMQError) {
    try self.init(
      at: endpoint, securedAt: port, instance: instance, term: term, in: context, on: thread,
      schedule: BeaconSchedule())
  }

  init(
    at endpoint: Endpoint, securedAt port: SecuredPort? = nil, instance: String, term: UInt64,
    in context: ZMQContext, on thread: SocketThread, schedule: BeaconSchedule
  ) throws(ZeroMQError) {
    self.schedule = schedule
    self.instance = instance
    self.term = term
    self.thread = thread
    alarm = ThreadTimer(on: thread)
    unattendedAlarm = ThreadTimer(on: thread)
    lock = try EndpointLock(endpoint)
    let socket = try Socket(.xpub, in: context)
    // Subscribers send topics. A message that is longer than any topic ends the subscriber's
    // connection.
    try socket.set(.maximumMessageSize(Self.longestSubscription))
    try socket.set(.handshakeTimeout(.seconds(5)))
    try socket.bind(to: endpoint)
    self.socket = consume socket
    // The monitor starts before the socket binds the port, so that the monitor reports every
    // connection.
    monitor = try watchConnections()
    do throws(ZeroMQError) {
      portWatch = try open(port)
    } catch {
      monitor.map(thread.stopMonitoring)
      throw error
    }
    watch = withSocket { socket in thread.watch(socket) { [unowned self] in receive() } }
    wantsComplete = true
    armBeacon(after: .zero)
  }

  private func open(_ port: SecuredPort?) throws(ZeroMQError) -> SecuredPortGuard? {
    var port = port
    port?.mostMessageBytes = Self.longestSecuredSubscription
    switch socket {
    case .some(let socket): return try socket.open(port, on: thread)
    case .none: return nil
    }
  }

  /// The longest topic that a subscriber may name, in bytes.
  private static let longestSubscription = 256

  /// The value of ``longestSubscription`` plus the overhead of CURVE and room for the longest CURVE
  /// command, in bytes.
  private static let longestSecuredSubscription = 1_024

  private func watchConnections() throws(ZeroMQError) -> SocketMonitorID? {
    switch socket {
    case .some(let socket):
      try thread.monitor(socket) { [unowned self] event in
        portWatch?.observe(event)
        if let event = ConnectionEvent(event) { observer?.connectionDidChange(event) }
      }
    case .none: nil
    }
  }

  /// The endpoint that the socket bound last. It contains the port that the system chose.
  var lastEndpoint: Endpoint? { withSocket { socket in try? socket.lastEndpoint() } ?? nil }

  var now: ContinuousClock.Instant { thread.now }

  // MARK: Streams

  /// Begins the stream of a meeting. Beacons list the stream until a call of ``endStream(of:)``.
  ///
  /// - Parameters:
  ///   - sequence: The last sequence number of an earlier run, if the numbering continues after a
  ///     restart of the process.
  ///   - keeping: The number of newest events to keep for replay.
  public func beginStream(
    of meeting: MeetingID, name: String, topic: EventTopic, epoch: UInt64,
    after sequence: UInt64 = 0,
    keeping: Int = 1024
  ) -> MeetingEventStream {
    let stream = MeetingEventStream(
      of: meeting, name: name, topic: topic, epoch: epoch, after: sequence, keeping: keeping,
      by: self, now: now)
    streams[meeting] = stream
    return stream
  }

  /// Removes the stream of a meeting that has ended.
  public func endStream(of meeting: MeetingID) { streams[meeting] = nil }

  /// Publishes a topic and a frame as one message, written without an intermediate copy.
  func publish(on topic: EventTopic, _ frame: borrowing ArenaWireFrame) {
    let name = topic.text.utf8
    _ = withSocket { socket in
      try? socket.send(size: name.count + frame.count) { output in
        for byte in name { output.append(byte) }
        frame.write(to: &output)
      }
    }
  }

  // MARK: Beacons

  private func armBeacon(after delay: Duration) {
    alarm.set(after: delay) { [weak self] in self?.beacon() }
  }

  private func beacon() {
    isBeaconSoon = false
    let now = thread.now
    let isComplete =
      wantsComplete || lastComplete.map { now - $0 >= schedule.completeEvery } ?? true
    if isComplete { lastComplete = now }
    let listed = streams.values.filter {
      isComplete || now - $0.lastChange < schedule.recent || wanted.contains($0.meeting)
    }
    wantsComplete = false
    wanted = []
    publishBeacon(of: listed, isComplete: isComplete)
    armBeacon(after: schedule.every)
  }

  private func publishBeacon(of listed: [MeetingEventStream], isComplete: Bool) {
    let beacon = V1.StreamBeacon(
      instance: instance, term: term, positions: listed.map(\.position), isComplete: isComplete,
      fence: fence)
    let header = V1.EventHeader(term: term)
    publish(on: .beacon(of: instance), ArenaWireFrame(header: header, body: beacon))
  }

  /// Reports an unattended meeting: since the meeting's last event, no live gateway has had a
  /// participant of the meeting.
  ///
  /// The publisher collects these meetings for 20 ms, and sends them in one extra beacon. The
  /// regular beacons list these meetings too, in case the network loses the extra beacon.
  func showUnattended(_ meeting: MeetingID) {
    unattended.insert(meeting)
    unattendedAlarm.setUnlessSet(after: schedule.unattendedWithin) { [weak self] in
      guard let self else { return }
      publishBeacon(of: unattended.compactMap { streams[$0] }, isComplete: false)
      unattended = []
    }
  }

  /// Receives subscriptions from XPUB. Each subscription is a byte (1 to subscribe, 0 to
  /// unsubscribe), then the topic.
  ///
  /// A new subscriber gets a beacon immediately.
  private func receive() {
    for _ in 0..<Self.messagesPerTurn {
      guard let message = withSocket({ socket in try? socket.receive() }) ?? nil else { return }
      guard message.count == 1, let bytes = message.first?.bytes, bytes.first ?? 2 < 2 else {
        observer?.requestWasRejected(.malformed)
        continue
      }
      guard bytes.first == 1 else { continue }
      let topic = bytes.dropFirst()
      if topic.starts(with: "beacon/".utf8) {
        wantsComplete = true
      } else if let text = String(validating: topic, as: UTF8.self) {
        let id = text.split(separator: "/").dropFirst().first ?? ""
        guard let meeting = try? MeetingID(String(id)) else {
          observer?.requestWasRejected(.malformed)
          continue
        }
        wanted.insert(meeting)
      } else {
        observer?.requestWasRejected(.malformed)
        continue
      }
      // One beacon serves all new subscribers. This code does not postpone a scheduled beacon.
      if !isBeaconSoon { armBeacon(after: .milliseconds(1)) }
      isBeaconSoon = true
    }
  }

  private static let messagesPerTurn = 256

  /// Closes the socket. Later calls publish nothing.
  public func close() {
    alarm.cancel()
    unattendedAlarm.cancel()
    if let watch { thread.unwatch(watch) }
    if let monitor { thread.stopMonitoring(monitor) }
    portWatch?.close()
    (watch, monitor, portWatch) = (nil, nil, nil)
    socket = nil
    streams = [:]
    lock.unlock()
  }

  private func withSocket<Result>(_ body: (borrowing Socket) -> Result) -> Result? {
    switch socket {
    case .some(let socket): body(socket)
    case .none: nil
    }
  }
}

/// The times at which the publisher sends beacons, and the meetings in the beacons.
struct BeaconSchedule {
  var every = Duration.seconds(1)

  /// The interval between beacons that list all meetings.
  var completeEvery = Duration.seconds(30)

  /// The time after a meeting's last event during which every beacon lists the meeting.
  var recent = Duration.seconds(10)

  /// The longest delay before gateways learn that a meeting is unattended.
  var unattendedWithin = Duration.milliseconds(20)
}
