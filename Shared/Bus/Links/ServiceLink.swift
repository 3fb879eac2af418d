public import MeetingModel
public import Wire
internal import ZeroMQ

/// The caller's side of one instance of a service: calls, events and availability.
///
/// All calls run on its ``SocketThread``.
public final class ServiceLink<Client> {
  /// The handlers of an instance's events and state changes.
  public struct Handlers {
    /// Called for an event of a followed meeting. The link skips events of earlier terms.
    public var onEvent: (_ instance: String, ReceivedBusEvent) -> Void

    /// Called when a beacon of the instance reports positions of the instance's streams.
    public var onPositions: (_ instance: String, [V1.MeetingPosition]) -> Void

    /// Called when the instance has a new term.
    ///
    /// If the instance keeps sessions, the handler must announce the connected sessions to the
    /// instance. Then the handler must request the missed events.
    public var onNewTerm: (_ instance: String) -> Void

    /// Called when the instance has stopped forwarding. The instance continues after this process
    /// sends `fence` back: see `Media.GatewayAlive` in media.proto.
    public var onFence: (_ instance: String, _ fence: UInt64) -> Void

    /// Called when beacons stop or resume.
    public var onSilence: () -> Void

    /// Called for invalid events.
    public var onMalformed: () -> Void

    /// Called when the instance refuses this process.
    public var onRefusal: (_ instance: String, Status) -> Void

    /// Makes handlers. The link calls all handlers on its ``SocketThread``.
    public init(
      onEvent: @escaping (_ instance: String, ReceivedBusEvent) -> Void = { _, _ in },
      onPositions: @escaping (_ instance: String, [V1.MeetingPosition]) -> Void = { _, _ in },
      onNewTerm: @escaping (_ instance: String) -> Void = { _ in },
      onFence: @escaping (_ instance: String, _ fence: UInt64) -> Void = { _, _ in },
      onSilence: @escaping () -> Void = {}, onMalformed: @escaping () -> Void = {},
      onRefusal: @escaping (_ instance: String, Status) -> Void = { _, _ in }
    ) {
      (self.onEvent, self.onPositions, self.onNewTerm) = (onEvent, onPositions, onNewTerm)
      (self.onFence, self.onSilence, self.onMalformed) = (onFence, onSilence, onMalformed)
      self.onRefusal = onRefusal
    }
  }

  /// The name of the instance, such as `presence-a`.
  public let instance: String

  /// The client for calls to the instance.
  public let client: Client

  /// The highest known term of the instance; 0 before the first beacon.
  public private(set) var term: UInt64 = 0

  /// The term that the registry reported for the instance when this process created the link.
  let registeredTerm: UInt64

  /// The instance's endpoints for requests and for events.
  private let endpoints: [Endpoint]

  /// Whether a beacon of the current term arrived within the last three intervals.
  public private(set) var isHeard = false

  private let channel: RequestChannel
  private let subscriber: EventSubscriber
  private let handlers: Handlers
  private var lastBeacon: ContinuousClock.Instant?

  /// The time without beacons after which the link regards the instance as silent: three missed
  /// beacons.
  private static var silence: Duration { .milliseconds(3_200) }

  init(
    _ record: RegisteredInstance, in context: ZMQContext, on thread: SocketThread,
    handlers: Handlers, _ makeClient: (RequestChannel) -> Client
  ) throws {
    instance = record.instance
    registeredTerm = record.term
    endpoints = try Self.endpoints(of: record)
    channel = try RequestChannel(to: endpoints[0], in: context, on: thread)
    client = makeClient(channel)
    self.handlers = handlers
    channel.onRefusal = { handlers.onRefusal(record.instance, $0) }
    subscriber = try EventSubscriber(
      to: endpoints[1], instance: record.instance, in: context, on: thread)
    subscriber.onEvent = { [unowned self] event in
      guard event.header.term == 0 || event.header.term >= term else { return }
      handlers.onEvent(instance, event)
    }
    subscriber.onMalformed = handlers.onMalformed
    subscriber.onBeacon = { [unowned self, unowned thread] beacon in
      hear(beacon, at: thread.now)
    }
  }

  private static func endpoints(
    of record: RegisteredInstance
  ) throws(InstanceRegistryError) -> [Endpoint] {
    [try record.endpoint("rpc"), try record.endpoint("events")]
  }

  /// Returns whether the link uses the endpoints in this record of the instance.
  ///
  /// An instance that restarts on another host may have another port or another key.
  func leads(to record: RegisteredInstance) -> Bool {
    // An instance that lost its counter of terms registers with a lower term than before. This code
    // treats such an instance as a different instance.
    guard record.term >= registeredTerm else { return false }
    return (try? Self.endpoints(of: record)) == endpoints
  }

  /// Whether the link has a connection to the instance.
  public var isConnected: Bool { channel.isConnected }

  /// The reason why the instance refuses this process; `nil` while the instance accepts this
  /// process or is unreachable.
  public var refusal: Status? { channel.refusal }

  func follow(_ topic: EventTopic) { subscriber.subscribe(to: topic) }

  func unfollow(_ topic: EventTopic) { subscriber.unsubscribe(from: topic) }

  /// Records a term that an answer of the instance contains. This term has the same effect as a
  /// term in a beacon.
  public func learn(_ term: UInt64) {
    guard term > self.term else { return }
    self.term = term
    handlers.onNewTerm(instance)
  }

  /// Checks whether beacons have stopped.
  func check(at now: ContinuousClock.Instant) {
    guard isHeard, let lastBeacon, now - lastBeacon > Self.silence else { return }
    isHeard = false
    handlers.onSilence()
  }

  func close() {
    subscriber.close()
    channel.close()
  }

  /// Closes the link to an instance that no longer exists.
  ///
  /// Open calls fail, so that their callers retry with another instance.
  func closeForGood() {
    subscriber.close()
    channel.close(because: Status(.unavailable, "\(instance) is gone; look the owner up again."))
  }

  private func hear(_ beacon: V1.StreamBeacon, at now: ContinuousClock.Instant) {
    // An instance that lost its counter of terms sends beacons with a lower term than before. The
    // link ignores such a beacon, because the instance rejects calls that contain the higher term.
    guard beacon.term >= term else { return }
    let wasSilent = lastBeacon != nil && !isHeard
    lastBeacon = now
    isHeard = true
    if beacon.term > term {
      term = beacon.term
      handlers.onNewTerm(instance)
    } else {
      if wasSilent { handlers.onSilence() }
      handlers.onPositions(instance, beacon.positions)
    }
    if beacon.fence > 0 { handlers.onFence(instance, beacon.fence) }
  }
}
