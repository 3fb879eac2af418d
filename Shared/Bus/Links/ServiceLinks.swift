public import MeetingModel
public import ZeroMQ

/// A process's links to the instances of one service. This type also determines which instance owns
/// a meeting.
///
/// An owner that dies while no other instance is live keeps its meetings, because the owner will
/// probably restart.
public final class ServiceLinks<Client> {
  /// A link to one of the instances.
  public typealias Link = ServiceLink<Client>

  private let service: String
  private let topic: (MeetingID) -> EventTopic
  private let handlers: Link.Handlers
  private let context: ZMQContext
  private let thread: SocketThread
  private let makeClient: (RequestChannel) -> Client
  private var links: [String: Link] = [:]

  /// The reasons why live instances have no link.
  private var unreachable: [String: Status] = [:]

  /// The highest known term of each instance, including instances that no longer exist.
  private var highestTerms: [String: UInt64] = [:]

  /// The instances that share the meetings.
  public private(set) var membership = OwningInstances(of: [])
  private var followed: [MeetingID: Link] = [:]

  /// - Parameters:
  ///   - service: The service's name in the registry.
  ///   - topic: Returns the topic of a meeting's stream.
  ///   - handlers: The handlers for every instance.
  public init(
    _ service: String, topic: @escaping (MeetingID) -> EventTopic, handlers: Link.Handlers,
    in context: ZMQContext, on thread: SocketThread,
    makeClient: @escaping (RequestChannel) -> Client
  ) {
    (self.service, self.topic, self.handlers) = (service, topic, handlers)
    (self.context, self.thread, self.makeClient) = (context, thread, makeClient)
  }

  /// The links to all known instances, in no particular order.
  public var all: [Link] { Array(links.values) }

  /// Whether beacons of at least one instance arrive.
  public var isHeard: Bool { links.values.contains(where: \.isHeard) }

  /// The reason why an instance refuses this process; `nil` while no instance refuses this process.
  public var refusal: Status? {
    links.values.lazy.compactMap(\.refusal).first ?? unreachable.values.first
  }

  /// Whether beacons arrive from all instances that were live at the last reading of the registry.
  public var areAllHeard: Bool { !links.isEmpty && links.values.allSatisfy(\.isHeard) }

  /// Returns the link to a meeting's owner. Rendezvous hashing selects the owner among the
  /// instances that share the meetings.
  public func owner(of meeting: MeetingID) -> Link? {
    membership.owner(of: meeting).flatMap { links[$0] }
  }

  /// Returns whether this process follows the meeting through this instance.
  public func follows(_ meeting: MeetingID, at instance: String) -> Bool {
    followed[meeting]?.instance == instance
  }

  /// Returns the highest known term of an instance; 0 if this process knows no term.
  public func highestTerm(of instance: String) -> UInt64 {
    max(highestTerms[instance] ?? 0, links[instance]?.term ?? 0)
  }

  /// The link to the instance of this name.
  public subscript(instance: String) -> Link? { links[instance] }

  /// Updates the live instances, and closes the links to all other instances.
  ///
  /// - Returns: The followed meetings whose owner changed.
  public func refresh(with live: [RegisteredInstance]) throws -> [MeetingID] {
    guard !live.isEmpty else { return [] }
    for record in live {
      if let link = links[record.instance] {
        guard !link.leads(to: record) else { continue }
        drop(link)
      }
      try connect(to: record)
    }
    membership = live.membership
    let moved = followed.compactMap { meeting, link -> MeetingID? in
      guard let owner = owner(of: meeting), owner !== link else { return nil }
      link.unfollow(topic(meeting))
      followed[meeting] = nil
      follow(meeting)
      return meeting
    }
    let present = Set(live.map(\.instance))
    unreachable = unreachable.filter { present.contains($0.key) }
    for link in links.values where !present.contains(link.instance) { drop(link) }
    return moved
  }

  /// Opens a link to an instance. If this host cannot reach the instance, the other links continue.
  private func connect(to record: RegisteredInstance) throws {
    do {
      links[record.instance] = try ServiceLink(
        record, in: context, on: thread, handlers: handlers, makeClient)
      unreachable[record.instance] = nil
    } catch let error as InstanceRegistryError {
      guard unreachable.updateValue(error.status, forKey: record.instance) != error.status else {
        return
      }
      handlers.onRefusal(record.instance, error.status)
    }
  }

  private func drop(_ link: Link) {
    if highestTerms.count >= Self.mostRemembered { highestTerms = [:] }
    highestTerms[link.instance] = highestTerm(of: link.instance)
    links[link.instance] = nil
    for (meeting, follower) in followed where follower === link { followed[meeting] = nil }
    link.closeForGood()
  }

  /// The maximum number of former instances whose terms this type remembers.
  private static var mostRemembered: Int { 1_024 }

  /// Follows a meeting's events from the meeting's owner.
  public func follow(_ meeting: MeetingID) {
    guard followed[meeting] == nil, let owner = owner(of: meeting) else { return }
    owner.follow(topic(meeting))
    followed[meeting] = owner
  }

  /// Stops following a meeting.
  public func unfollow(_ meeting: MeetingID) {
    followed.removeValue(forKey: meeting)?.unfollow(topic(meeting))
  }

  /// Checks which instances have become silent.
  public func check(at now: ContinuousClock.Instant) {
    for link in links.values { link.check(at: now) }
  }

  /// Closes all links. Open calls end with `cancelled`.
  public func close() {
    for link in links.values { link.close() }
    (links, membership, followed) = ([:], OwningInstances(of: []), [:])
  }
}
