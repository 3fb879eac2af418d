import Bus
import Logging
import MeetingModel
import Ownership
import RTP
import ServiceHost
import Wire
import ZeroMQ

/// The service `media`: handles requests and packets, and reports to `presence` and `video-tiles`.
///
/// The service and all its packets use one ``SocketThread``. The code passes a packet with plain
/// calls from the socket to the mix or to the receivers of a video. A packet starts no task and
/// causes no allocation.
actor MediaService: OwningService {
  let configuration: MediaConfiguration
  let owner: MeetingOwner
  let thread: SocketThread
  let metrics: MediaCounters

  var meetings: [MeetingID: MeetingMedia] = [:]
  var sessions: [SessionID: MediaServerSession] = [:]

  /// The sessions by their tickets.
  ///
  /// A client may send its ticket again on another connection.
  var tickets: [MediaTicket: MediaServerSession] = [:]

  /// The followers of the decisions of `video-tiles`, by meeting.
  private var decisions: [MeetingID: TileDecisionFollower] = [:]

  /// The gateways that admit sessions.
  ///
  /// A lost gateway may return within a grace period. Afterwards, the service removes the gateway.
  var gateways: GatewayTable

  /// The gateways that must admit their sessions again.
  var announcements = ReannouncementRequests()

  /// The meetings that this instance owns; `nil` for all.
  private var share: OwnedMeetings?

  /// The meetings that other instances now own but that this instance still keeps, each with the
  /// time of its move.
  private var ceded: [MeetingID: ContinuousClock.Instant] = [:]

  /// The fence. After `standstills` detects a stall, the service raises the fence.
  var fence: ForwardingStallFence
  var standstills: ProcessStallDetector

  private(set) var packets: ZeroMQPacketSocket?

  /// The port for browsers.
  private(set) var door: WebRTCUDPEndpoint?
  let webRTCCounters: WebRTCCounters
  private let ticker: ThreadTimer
  private var nextTick = ContinuousClock.now
  private var nextLevels = ContinuousClock.now
  private var nextVideo = ContinuousClock.now
  private var nextReports = ContinuousClock.now

  private(set) lazy var presence = ServiceLinks(
    "presence", topic: EventTopic.roster(of:),
    handlers: .init(
      onNewTerm: { [unowned self] _ in
        assumeIsolated { for meeting in $0.meetings.values { meeting.forgetReportedLevels() } }
      }, onRefusal: { [owner] _, status in owner.noteUnreachable(status) }), in: owner.context,
    on: thread
  ) { PresenceClient($0) }
  private(set) lazy var tiles = ServiceLinks(
    "video-tiles", topic: EventTopic.tiles(of:),
    handlers: .init(
      onNewTerm: { [unowned self] _ in
        assumeIsolated { for meeting in $0.meetings.values { meeting.forgetReportedTracks() } }
      }, onRefusal: { [owner] _, status in owner.noteUnreachable(status) }), in: owner.context,
    on: thread
  ) { VideoTilesClient($0) }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Creates the service.
  ///
  /// ``run()`` opens the service's sockets.
  ///
  /// - Parameter thread: The thread of the service. The thread stops with the service.
  init(
    _ configuration: MediaConfiguration, registry: any Registry, in context: ZMQContext,
    on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.thread = thread
    ticker = ThreadTimer(on: thread)
    self.metrics = MediaCounters(in: metrics)
    webRTCCounters = WebRTCCounters(in: metrics)
    gateways = GatewayTable(silence: configuration.rules.gatewayEnd)
    fence = ForwardingStallFence(after: 0, timeout: configuration.rules.fenceTimeout)
    standstills = Self.watch(configuration.rules)
    owner = MeetingOwner(
      configuration.place, streams: .init("media", on: EventTopic.media(of:), keeping: 0),
      registry: registry, in: context, on: thread, metrics: self.metrics.owner, logger: logger,
      beatInterval: .milliseconds(500))
  }

  // MARK: Opening and closing

  func open() throws {
    gateways = GatewayTable(silence: configuration.rules.gatewayEnd)
    announcements = ReannouncementRequests()
    // Two terms never use the same fence number, so a late answer to a fence of another term
    // matches no fence of this term.
    fence = ForwardingStallFence(after: term << 32, timeout: configuration.rules.fenceTimeout)
    standstills = Self.watch(configuration.rules)
    let packets = try ZeroMQPacketSocket(
      at: configuration.packets, maximumPacketSize: 64 << 10,
      secured: configuration.packetSecurity,
      unauthenticatedLimit: configuration.rules.unauthenticatedLimit, on: thread)
    // This is a direct call. `assumeIsolated` would create two closures for each packet, and there
    // are many packets.
    packets.onPacket = { [unowned self] route, packet in receive(packet, from: route) }
    packets.onGone = { [unowned self] route in assumeIsolated { $0.ended(route) } }
    packets.onChange = { [unowned self] event in metrics.connections[event].increment() }
    self.packets = packets
    if let webRTC = configuration.webRTC {
      let door = try makeDoor(webRTC)
      door.onOpen = { [unowned self] id in assumeIsolated { $0.browserOpened(id) } }
      door.onLoss = { [unowned self] id in assumeIsolated { $0.browserIsLost(id) } }
      door.onPacket = { [unowned self] packet, id in receive(packet, from: id) }
      self.door = door
      owner.logger.notice(
        "Accepting browsers", metadata: [LogMetadataKey.endpoint: "\(door.endpoints)"])
      let granted = (receive: door.receiveBufferBytes, send: door.sendBufferBytes)
      if min(granted.receive, granted.send) < UDPSocket.wantedBufferBytes {
        owner.logger.notice(
          """
          The system gives the port of browsers smaller buffers than media asks for, so packets \
          from or to many browsers at once may be lost. Raise net.core.rmem_max and \
          net.core.wmem_max to \(UDPSocket.wantedBufferBytes) by sysctl(8), and start media again.
          """,
          metadata: [
            LogMetadataKey.count:
              "\(granted.receive) bytes to receive, \(granted.send) bytes to send"
          ])
      }
    }
    try owner.open().serve(media: self)
    nextTick = thread.now
    (nextLevels, nextVideo, nextReports) = (nextTick, nextTick, nextTick)
    tick()
    owner.logger.notice(
      "Carrying media",
      metadata: [
        LogMetadataKey.endpoint: "\(configuration.packets.map(\.text).joined(separator: " "))"
      ])
  }

  private func makeDoor(_ webRTC: WebRTCConfiguration) throws -> WebRTCUDPEndpoint {
    do {
      return try WebRTCUDPEndpoint(webRTC, on: thread, counting: webRTCCounters)
    } catch let failure as UDPSocket.Failure where failure.call == "bind" {
      throw HostError(
        cannotListen:
          """
          Cannot listen on UDP port \(webRTC.port): \(failure). Choose another port with \
          --udp-port.
          """,
        code: failure.code)
    }
  }

  func close() {
    ticker.cancel()
    for meeting in meetings.values { meeting.close() }
    for follower in decisions.values { follower.close() }
    (meetings, sessions, tickets, decisions, ceded) = ([:], [:], [:], [:], [:])
    presence.close()
    tiles.close()
    packets?.close()
    packets = nil
    door?.close()
    door = nil
  }

  func beat() {
    releaseOrphans()
    releaseCeded()
    metrics.update(
      meetings: meetings.count, sessions: sessions.count,
      bound: sessions.values.count { $0.isConnected })
  }

  /// Reads the live instances of `presence` and `video-tiles`, because these instances own the
  /// meetings.
  func lookAround() async throws {
    _ = try presence.refresh(with: await owner.registry.liveInstances(of: "presence"))
    _ = try tiles.refresh(with: await owner.registry.liveInstances(of: "video-tiles"))
    for follower in decisions.values { follower.check() }
  }

  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool { self.gateways.vouch(for: gateways) }

  // MARK: Sharing

  var meetingCount: Int { meetings.count - ceded.count }

  /// Updates the set of meetings that this instance owns.
  ///
  /// If a meeting moves to another instance, gateways admit the meeting's sessions at that
  /// instance, and then release the sessions at this instance.
  func take(_ share: OwnedMeetings) {
    self.share = share
    for meeting in meetings.keys {
      if share.contains(meeting) {
        ceded[meeting] = nil
      } else if ceded[meeting] == nil {
        ceded[meeting] = thread.now
      }
    }
  }

  /// Removes the sessions that belong to moved meetings and that gateways did not release.
  private func releaseCeded() {
    for (meeting, since) in ceded where thread.now - since > Self.cededTime {
      ceded[meeting] = nil
      guard let left = meetings[meeting] else { continue }
      for session in Array(left.sessions) { remove(session) }
      if meetings[meeting] != nil { forget(left) }
    }
  }

  /// How long the instance keeps a moved meeting. Clients take less time to move to the new owner.
  private static let cededTime = Duration.seconds(10)

  // MARK: Meetings

  /// Returns the media of a meeting. The first call for a meeting creates the media.
  func openMeeting(_ id: MeetingID) -> MeetingMedia? {
    if let meeting = meetings[id] { return meeting }
    guard packets != nil, owner.streams[id] != nil else { return nil }
    let meeting = MeetingMedia(
      id, rules: configuration.rules, metrics: metrics, epoch: Self.origin.day)
    meetings[id] = meeting
    followDecisions(about: id)
    return meeting
  }

  private func followDecisions(about id: MeetingID) {
    let follower = TileDecisionFollower(id, of: tiles, on: thread)
    decisions[id] = follower
    follower.onUpdate = { [unowned self] update in
      assumeIsolated { $0.meetings[id]?.take(update, at: $0.mediaTime) }
    }
    follower.open()
  }

  /// Removes a meeting that has no sessions or has ended.
  func forget(_ meeting: MeetingMedia) {
    meeting.close()
    decisions.removeValue(forKey: meeting.id)?.close()
    meetings[meeting.id] = nil
    ceded[meeting.id] = nil
    owner.streams.end(meeting.id)
  }

  // MARK: Time

  /// The present time for the handling of packets.
  var mediaTime: MonotonicTime { MonotonicTime(thread.now - Self.origin.clock) }

  /// The origin of ``MonotonicTime``. `day` is the time of day at the origin, in microseconds since
  /// 1970.
  ///
  /// The two values form one constant, because Swift would compute two constants at different
  /// times.
  private static let origin = (
    clock: ContinuousClock.now, day: WallClock.nowUs
  )

  /// Sends the mixes every 20 ms, and each report when it is due. A late tick does not delay the
  /// later ticks.
  ///
  /// After a delay, the method runs at most five of the missed ticks, and then continues from the
  /// present time.
  private func tick() {
    lookForStandstill()
    if fence.isUp { giveUpFence() }
    let now = thread.now
    var late = 0
    while nextTick <= now {
      nextTick = nextTick + MediaRules.audioPacket
      late += 1
      if late <= Self.mostTicksAtOnce { mix() }
    }
    if now >= nextLevels {
      nextLevels = now + MediaRules.levelInterval
      reportLevels()
    }
    if now >= nextVideo {
      nextVideo = now + MediaRules.videoInterval
      reportVideo()
    }
    if now >= nextReports {
      nextReports = now + MediaRules.reportInterval
      report()
      reportBrowsers()
    }
    ticker.set(after: nextTick - ContinuousClock.now) { [self] in
      assumeIsolated { $0.tick() }
    }
  }

  private static let mostTicksAtOnce = 5

  private func mix() {
    let start = ContinuousClock.now
    let time = mediaTime
    for meeting in meetings.values {
      lookForStandstill()
      // After a stall, the mixes may still contain sound that arrived before the stall.
      guard !fence.isUp else { break }
      meeting.tick(at: time)
    }
    metrics.mixing.observe(since: start)
  }
}
