public import MeetingModel
public import Wire
internal import ZeroMQ

/// The caller's side of one instance of a service: calls to it, events from it, and whether it is
/// there. Lives on its ``SocketThread``.
public final class ServiceLink<Client> {
  /// What an instance says without being asked.
  public struct Handlers {
    /// An event of a meeting that somebody here follows. Those of former terms are left out.
    public var onEvent: (_ instance: String, ReceivedEvent) -> Void

    /// Positions of the instance's streams, from its beacons.
    public var onPositions: (_ instance: String, [V1.MeetingPosition]) -> Void

    /// The instance has a new term: it wants to hear who is connected here, where it keeps that,
    /// and then to be asked for what was missed.
    public var onNewTerm: (_ instance: String) -> Void

    /// The instance forwards nothing until it has heard an echo of this number: see
    /// `Media.GatewayAlive` in media.proto.
    public var onFence: (_ instance: String, _ fence: UInt64) -> Void

    /// Beacons stayed away, or came back after that.
    public var onSilence: () -> Void

    /// Bytes came that are no event.
    public var onMalformed: () -> Void

    /// The instance does not let this process in.
    public var onRefusal: (_ instance: String, Status) -> Void

    /// Collects handlers; all are called on the link's ``SocketThread``.
    public init(
      onEvent: @escaping (_ instance: String, ReceivedEvent) -> Void = { _, _ in },
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

  /// The calls that the instance answers.
  public let client: Client

  /// The instance's term as last heard; 0 before the first beacon.
  public private(set) var term: UInt64 = 0

  /// The term of the instance's life that the link was made for.
  let registeredTerm: UInt64

  /// Where the instance is called, and where its events come from.
  private let endpoints: [Endpoint]

  /// Whether a beacon of the present term came within the last three intervals.
  public private(set) var isHeard = false

  private let channel: RequestChannel
  private let subscriber: EventSubscriber
  private let handlers: Handlers
  private var lastBeacon: ContinuousClock.Instant?

  /// Three missed beacons.
  private static var silence: Duration { .milliseconds(3_200) }

  init(
    _ record: RegisteredInstance, in context: Context, on thread: SocketThread,
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
  ) throws(RegistryError) -> [Endpoint] {
    [try record.endpoint("rpc"), try record.endpoint("events")]
  }

  /// Whether the link leads to an instance as it is now: one that is started again on another host
  /// may have another port or another key.
  func leads(to record: RegisteredInstance) -> Bool {
    // It has lost its counter and begins below what was heard of it: it is another one.
    guard record.term >= registeredTerm else { return false }
    return (try? Self.endpoints(of: record)) == endpoints
  }

  /// Whether a connection to the instance stands.
  public var isConnected: Bool { channel.isConnected }

  /// Why the instance does not let this process in; `nil` while it does, or is not there.
  public var refusal: Status? { channel.refusal }

  func follow(_ topic: Topic) { subscriber.subscribe(to: topic) }

  func unfollow(_ topic: Topic) { subscriber.unsubscribe(from: topic) }

  /// The instance answered a call with its term: as good as a beacon.
  public func learn(_ term: UInt64) {
    guard term > self.term else { return }
    self.term = term
    handlers.onNewTerm(instance)
  }

  /// Looks whether beacons have stayed away.
  func check(at now: ContinuousClock.Instant) {
    guard isHeard, let lastBeacon, now - lastBeacon > Self.silence else { return }
    isHeard = false
    handlers.onSilence()
  }

  func close() {
    subscriber.close()
    channel.close()
  }

  /// The instance lives no more: what it has not answered is to be asked of another one.
  func closeForGood() {
    subscriber.close()
    channel.close(because: Status(.unavailable, "\(instance) is gone; look the owner up again."))
  }

  private func hear(_ beacon: V1.StreamBeacon, at now: ContinuousClock.Instant) {
    // An instance that has lost its counter refuses what is asked of it in the term heard before.
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
