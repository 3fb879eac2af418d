import Bus
import Logging
import MeetingModel
import ServiceHost
import Wire
import ZeroMQ

/// Follows the owners of one service for the meetings that have sessions at this gateway.
///
/// The follower keeps the links, the streams of the meetings and the service's limits. It requests
/// missed events, announces sessions to owners in new terms, and sends heartbeats. All methods run
/// on the gateway's socket thread.
final class OwnerFollower<Service: OwnerFollowerAdapter>: OwnerFollowing {
  typealias Link = ServiceLink<Service.Client>

  /// The notices to owners. The queue repeats each notice until the owner answers or the notice
  /// times out.
  private(set) lazy var notices = OwnerNoticeQueue(to: links, on: context.thread)

  private(set) var limits: V1.Limits?
  private unowned let service: Service
  private let context: GatewayContext
  private var hubs: [MeetingID: StreamHub] = [:]

  /// For each instance that stalled, the number of the instance's fence. This gateway returns the
  /// number to the instance after the instance has answered all pending notices.
  private var fences: [String: UInt64] = [:]

  /// For each instance, the number of the last announcement that the instance requested. Heartbeats
  /// return this number.
  private var announcements: [String: UInt64] = [:]

  /// For each instance, the number of announcements in progress.
  private var announcing: [String: Int] = [:]

  /// For each instance, the number of announcement parts that this gateway has sent.
  private var announcedParts: [String: Int] = [:]
  private lazy var links = ServiceLinks(
    Service.id.name, topic: Service.topic(of:), handlers: handlers, in: context.sockets,
    on: context.thread, makeClient: Service.client(over:))

  init(_ service: Service, in context: GatewayContext) {
    (self.service, self.context) = (service, context)
  }

  var id: ServiceID { Service.id }
  var stream: MeetingStream? { Service.stream }
  var isHeard: Bool { links.isHeard }
  var refusal: Status? { links.refusal }

  /// All links, sorted by instance.
  var all: [Link] { links.all.sorted { $0.instance < $1.instance } }

  subscript(instance: String) -> Link? { links[instance] }

  /// Returns the instance that receives a meeting's requests.
  func owner(of meeting: MeetingID) -> Link? { links.owner(of: meeting) }

  /// Returns the instance that receives a meeting's requests.
  ///
  /// - Throws: ``OwnerFollowerAdapter/away`` if the registry lists no instance.
  func reachableOwner(of meeting: MeetingID) throws(Status) -> Link {
    guard let owner = links.owner(of: meeting) else { throw Service.away }
    return owner
  }

  /// Calls a meeting's owner to change the state of a session. Announcements also contain this
  /// state.
  ///
  /// - Throws: `aborted` if, during the call, the meeting moved to another instance, or the gateway
  ///   sent an announcement to the owner. In both cases the present owner may have the old state:
  ///   the announcement may have overwritten the change, or the change may have reached only the
  ///   former owner. The caller must repeat the call.
  func change<Reply>(
    _ meeting: MeetingID, _ ask: (Link) async throws(Status) -> Reply
  ) async throws(Status) -> Reply {
    let asked = try reachableOwner(of: meeting)
    let announced = announcedParts[asked.instance]
    let reply = try await ask(asked)
    if let owner = links.owner(of: meeting), owner !== asked {
      throw Status(.aborted, "During the call, the meeting moved to another instance; try again.")
    }
    guard announcedParts[asked.instance] == announced else {
      throw Status(
        .aborted, "During the call, the owner received the session's old state; try again.")
    }
    return reply
  }

  /// Counts a part of an announcement. Directly after this call, the caller must send the part,
  /// with the sessions that exist now.
  func willAnnounce(to link: Link) { announcedParts[link.instance, default: 0] += 1 }

  // MARK: Meetings

  func hub(of meeting: MeetingID) -> StreamHub {
    if let hub = hubs[meeting] { return hub }
    let hub = StreamHub(Service.stream, of: meeting, for: service) { [unowned self] session in
      context.coordinator.sessionLacks(session.number, Service.id)
    }
    hub.follower.onEvent = { [unowned hub] header, body in hub.deliver(header, body) }
    hub.follower.onCatchUp = { [unowned self] epoch, sequence in
      catchUp(meeting, after: StreamCursor(epoch: epoch, sequence: sequence))
    }
    hubs[meeting] = hub
    links.follow(meeting)
    return hub
  }

  func knownHub(of meeting: MeetingID) -> StreamHub? { hubs[meeting] }

  func forgetIfUnused(_ meeting: MeetingID) {
    guard let hub = hubs[meeting], hub.isUnused else { return }
    hubs[meeting] = nil
    links.unfollow(meeting)
    service.forget(meeting)
  }

  // MARK: Owners

  func refresh(with live: [RegisteredInstance]) throws {
    let former = links.membership
    let moved = try links.refresh(with: live)
    for meeting in hubs.keys { links.follow(meeting) }
    for instance in Set(moved.compactMap { links.owner(of: $0)?.instance }) {
      context.coordinator.announce(Service.id, to: instance)
    }
    guard links.membership != former, !former.instances.isEmpty else { return }
    // An instance that takes over meetings waits for announcements from all gateways, even from
    // gateways without sessions in these meetings. The instance may have read the new list of live
    // instances only after it received this gateway's announcement. So the gateway announces its
    // sessions again.
    context.after(Self.lookTime) { [weak self] in
      guard let self else { return }
      for link in links.all { context.coordinator.announce(Service.id, to: link.instance) }
    }
  }

  /// The delay after which the gateway repeats its announcement to every instance. Within this
  /// time, each instance reads the new list of live instances.
  private static var lookTime: Duration { .seconds(1) }

  /// The fingerprint of the set of instances among which the meetings are distributed.
  /// Announcements contain this fingerprint.
  var membership: UInt64 { links.membership.fingerprint }

  func tick() {
    links.check(at: context.now)
    for link in links.all { sayAlive(to: link) }
  }

  /// Announces this gateway's sessions to the owner of a meeting.
  func announce(toOwnerOf meeting: MeetingID) {
    guard let owner = links.owner(of: meeting) else { return }
    context.coordinator.announce(Service.id, to: owner.instance)
  }

  func announce(to instance: String) async throws(Status) {
    guard let link = links[instance] else { return }
    announcing[instance, default: 0] += 1
    defer { announcing[instance, default: 1] -= 1 }
    try await service.announce(to: link)
    catchUpAll()
  }

  func close() {
    notices.close()
    links.close()
  }

  private func sayAlive(to link: Link, echoing fence: UInt64 = 0) {
    let instance = link.instance
    let request = V1.GatewayAliveRequest(
      gateway: context.settings.instance, gatewayRun: context.run, fence: fence,
      announcement: announcements[instance] ?? 0, membership: membership,
      highestTerm: links.highestTerm(of: instance))
    service.sayAlive(link.client, request) { [unowned self] result in
      guard case .success(let reply) = result, let link = links[instance] else { return }
      link.learn(reply.term)
      if reply.announcement > 0 {
        announce(reply.announcement, to: instance)
      } else if reply.wantsAnnouncement, announcing[instance, default: 0] == 0 {
        // If each heartbeat restarted an announcement in progress, the announcement would never
        // end.
        context.coordinator.announce(Service.id, to: instance)
      }
      // Further replies contain the same fence until all gateways have returned the fence's number.
      if reply.fence != fence { echo(reply.fence, to: instance) }
    }
  }

  /// Starts the announcement that an instance requests.
  ///
  /// The instance repeats its request until a heartbeat of this gateway contains the number of the
  /// announcement.
  private func announce(_ announcement: UInt64, to instance: String) {
    guard announcements[instance] != announcement else { return }
    announcements[instance] = announcement
    // After a change of the instance's term, the gateway makes the first announcement on its own,
    // so the gateway ignores the request for this announcement.
    guard announcement > 1 else { return }
    service.ownerForgotAll(instance)
    context.coordinator.announce(Service.id, to: instance)
  }

  /// Sends the number of the fence back to an instance that stalled, after the instance has
  /// answered all pending notices.
  private func echo(_ fence: UInt64, to instance: String) {
    guard fence > 0, fences[instance] != fence, let link = links[instance] else { return }
    fences[instance] = fence
    notices.settle(link) { [weak self] in
      guard let self, fences[instance] == fence else { return }
      fences[instance] = nil
      if let link = links[instance] { sayAlive(to: link, echoing: fence) }
    }
  }

  private func begin(with instance: String) {
    announcements[instance] = nil
    service.ownerForgotAll(instance)
    context.coordinator.announce(Service.id, to: instance)
    guard let client = links[instance]?.client else { return }
    service.askLimits(client, in: 0) { [weak self] result in
      if case .success(let limits) = result { self?.limits = limits }
    }
  }

  // MARK: Events

  private var handlers: Link.Handlers {
    Link.Handlers(
      onEvent: { [unowned self] instance, event in route(event, from: instance) },
      onPositions: { [unowned self] instance, positions in
        for position in positions { observe(position, at: instance) }
      },
      onNewTerm: { [unowned self] instance in begin(with: instance) },
      onFence: { [unowned self] instance, fence in echo(fence, to: instance) },
      onSilence: { [unowned self] in catchUpAll() },
      onMalformed: { [unowned self] in context.metrics.malformedEvents.increment() },
      onRefusal: { [unowned self] instance, status in
        context.logger.warning(
          "A service cannot be reached",
          metadata: [
            LogMetadataKey.service: "\(instance)", LogMetadataKey.reason: "\(status.message)",
          ])
      })
  }

  /// Records the last position of a meeting's stream. Ignores a position from a former owner.
  private func observe(_ position: V1.MeetingPosition, at instance: String) {
    guard let id = try? MeetingID(position.meetingID) else { return }
    if links.follows(id, at: instance) { hubs[id]?.follower.observe(position) }
    if position.isUnattended, links.owner(of: id)?.instance == instance {
      service.isUnattended(
        id, at: StreamCursor(epoch: position.epoch, sequence: position.lastSequence))
    }
  }

  /// Forwards an event of a meeting to the meeting's hub.
  ///
  /// Drops late events of a former owner.
  private func route(_ event: ReceivedBusEvent, from instance: String) {
    guard let id = try? MeetingID(event.header.meetingIDInPlace), let hub = hubs[id],
      links.follows(id, at: instance)
    else { return }
    if Service.stream == nil {
      hub.pass(event.header, event.body)
    } else {
      hub.follower.arrive(event.header, event.body)
    }
  }

  // MARK: Catch-up

  private func catchUpAll() {
    for hub in hubs.values { hub.follower.catchUp() }
  }

  private func catchUp(_ meeting: MeetingID, after cursor: StreamCursor) {
    guard let owner = links.owner(of: meeting) else { return catchUpLater(meeting) }
    service.askMissed(of: meeting, after: cursor, owner.client) { [unowned self] result in
      guard let hub = hubs[meeting] else { return }
      // The answer of a former owner must not reset the stream of the present owner.
      guard links.owner(of: meeting) === owner else { return catchUpLater(meeting) }
      switch result {
      case .success(let answer): take(answer, into: hub, from: cursor)
      case .failure(let status) where status.isTransient: catchUpLater(meeting)
      case .failure(let status):
        hub.follower.catchUpFailed()
        if status.code == .notFound, !hub.sessions.isEmpty { service.ownerForgot(meeting) }
      }
    }
  }

  private func take(_ answer: MissedEventsReply, into hub: StreamHub, from cursor: StreamCursor) {
    switch answer {
    case .events(let events):
      hub.follower.caughtUp(with: events)
    case .page(let events, let end, let hasMore):
      // If the owner no longer keeps some of the requested events, there is a gap in the sequence
      // numbers. Each session detects this gap by itself.
      for event in events {
        if let header = event.header { hub.deliver(header, event.body) }
      }
      hub.follower.reset(epoch: end.epoch, sequence: end.sequence)
      if hasMore { hub.follower.catchUp() }
    case .snapshot(let place, let tick, let install):
      hub.forgetRecent()
      install(hub)
      hub.follower.reset(epoch: place.epoch, sequence: place.sequence, tick: tick)
    }
  }

  /// Requests the missed events again after 100 ms, because the owner may be restarting.
  ///
  /// The owner's next beacon also starts this request.
  private func catchUpLater(_ meeting: MeetingID) {
    hubs[meeting]?.follower.catchUpFailed()
    context.after(.milliseconds(100)) { [weak self] in
      self?.hubs[meeting]?.follower.catchUp()
    }
  }
}
