public import MeetingModel
public import ZeroMQ

/// A process's links to the instances of one service, and which of them owns a meeting.
///
/// An owner that dies keeps its meetings as long as no other instance lives: it is on its way back.
public final class ServiceLinks<Client> {
  /// A link to one of the instances.
  public typealias Link = ServiceLink<Client>

  private let service: String
  private let topic: (MeetingID) -> Topic
  private let handlers: Link.Handlers
  private let context: Context
  private let thread: SocketThread
  private let makeClient: (RequestChannel) -> Client
  private var links: [String: Link] = [:]

  /// Why instances that live are not linked to.
  private var unreachable: [String: Status] = [:]

  /// The highest term that was heard of each instance, also of those that are gone.
  private var highestTerms: [String: UInt64] = [:]

  /// Among which instances meetings are shared out.
  public private(set) var membership = Membership(of: [])
  private var followed: [MeetingID: Link] = [:]

  /// - Parameters:
  ///   - service: As it is in the registry.
  ///   - topic: A meeting's stream.
  ///   - handlers: Told by every instance.
  public init(
    _ service: String, topic: @escaping (MeetingID) -> Topic, handlers: Link.Handlers,
    in context: Context, on thread: SocketThread,
    makeClient: @escaping (RequestChannel) -> Client
  ) {
    (self.service, self.topic, self.handlers) = (service, topic, handlers)
    (self.context, self.thread, self.makeClient) = (context, thread, makeClient)
  }

  /// The links to all known instances, in no particular order.
  public var all: [Link] { Array(links.values) }

  /// Whether some instance is there.
  public var isHeard: Bool { links.values.contains(where: \.isHeard) }

  /// Why some instance does not let this process in; `nil` while all do that are there.
  public var refusal: Status? {
    links.values.lazy.compactMap(\.refusal).first ?? unreachable.values.first
  }

  /// Whether all instances that live, as the registry had it last, are there.
  public var areAllHeard: Bool { !links.isEmpty && links.values.allSatisfy(\.isHeard) }

  /// The instance that a meeting's requests go to, by rendezvous hashing over those that live.
  public func owner(of meeting: MeetingID) -> Link? {
    membership.owner(of: meeting).flatMap { links[$0] }
  }

  /// Whether a meeting is followed, and by way of this instance.
  public func follows(_ meeting: MeetingID, at instance: String) -> Bool {
    followed[meeting]?.instance == instance
  }

  /// The highest term that was heard of an instance; 0 if it was never heard.
  public func highestTerm(of instance: String) -> UInt64 {
    max(highestTerms[instance] ?? 0, links[instance]?.term ?? 0)
  }

  /// The link to the instance of this name.
  public subscript(instance: String) -> Link? { links[instance] }

  /// Takes in which instances live. Links to those that are gone are closed.
  ///
  /// - Returns: The followed meetings that have another owner than before.
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

  /// An instance that cannot be reached from this host keeps nobody from the others.
  private func connect(to record: RegisteredInstance) throws {
    do {
      links[record.instance] = try ServiceLink(
        record, in: context, on: thread, handlers: handlers, makeClient)
      unreachable[record.instance] = nil
    } catch let error as RegistryError {
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

  /// Instances whose terms are remembered when they are gone.
  private static var mostRemembered: Int { 1_024 }

  /// Hears a meeting's events from now on, from whoever owns it.
  public func follow(_ meeting: MeetingID) {
    guard followed[meeting] == nil, let owner = owner(of: meeting) else { return }
    owner.follow(topic(meeting))
    followed[meeting] = owner
  }

  /// Hears nothing more of a meeting.
  public func unfollow(_ meeting: MeetingID) {
    followed.removeValue(forKey: meeting)?.unfollow(topic(meeting))
  }

  /// Looks which instances have fallen silent.
  public func check(at now: ContinuousClock.Instant) {
    for link in links.values { link.check(at: now) }
  }

  /// Closes all links; open calls end `cancelled`.
  public func close() {
    for link in links.values { link.close() }
    (links, membership, followed) = ([:], Membership(of: []), [:])
  }
}
