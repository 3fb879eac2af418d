import MeetingModel
import Ownership

/// One session on a board: its choices, its link, and the tiles that it receives.
struct TileBoardSession: Sendable {
  let id: SessionID

  /// The participant that receives video.
  let identity: ParticipantIdentity

  var capabilities: AttendeeCapabilities
  var place: ActingMeeting
  var contact: SessionConnectivity

  /// The time at which the session reached its gateway, in milliseconds since 1970-01-01T00:00:00Z;
  /// 0 if unknown.
  private(set) var openedAtMs: UInt64
  var isReceiving: Bool

  /// The codecs that the session's client decodes.
  var decodableCodecs: VideoCodecSet
  var subscriptions: ReceiverVideoSubscriptions

  /// The tiles that the session's user paused.
  private(set) var pausedTiles: Set<TileID>

  /// The camera availability that the board last reported to the session's client.
  var camera: CameraAvailability = .notAllowed

  /// The decisions about all sources except the session's own, in the order of tile ids.
  private(set) var decisions: [TileDecision] = []

  private(set) var downlink: DownlinkBudget

  /// The tiles that dropped frames because the link was full. `stalled` contains the tiles for
  /// which `media` has sent no frame. Both sets are from the latest report of `media`.
  private var starved: Set<TileID> = []
  private var stalled: Set<TileID> = []
  private var demands: [CandidateLayers] = []

  /// For each demand, the index of the decision about the same source.
  private var demanding: [Int] = []

  /// Whether a timer is pending for the session. When the timer fires, the board may drop the
  /// session, or raise the session's budget.
  var isWaiting: Bool { !contact.isConnected || downlink.deadline != nil }

  init(
    _ session: AnnouncedSession, contact: SessionConnectivity, rules: VideoTilesRules
  ) {
    id = session.id
    identity = session.identity
    capabilities = session.capabilities
    place = session.place
    self.contact = contact
    openedAtMs = session.openedAtMs
    isReceiving = session.choices.isReceiving
    decodableCodecs = session.choices.decodableCodecs
    subscriptions = session.choices.subscriptions
    pausedTiles = session.choices.pausedTiles
    downlink = DownlinkBudget(rules.raising)
  }

  /// Replaces the values that the session's client declared.
  mutating func renew(from session: AnnouncedSession, contact: SessionConnectivity) {
    capabilities = session.capabilities
    place = session.place
    self.contact = contact
    openedAtMs = session.openedAtMs
    isReceiving = session.choices.isReceiving
    decodableCodecs = session.choices.decodableCodecs
    subscriptions = session.choices.subscriptions
    pausedTiles = session.choices.pausedTiles
  }

  var participant: ParticipantID { identity.id }

  // MARK: Publishing

  /// The attendee whose video the session publishes; `nil` if the session does not publish.
  var publisher: ParticipantIdentity? {
    switch place {
    case .primary: identity
    case .replica: nil
    case .promoted(let identity, _, _): identity
    }
  }

  /// The time at which the client reached the meeting or requested the promotion, in milliseconds
  /// since 1970.
  private var publishesSinceMs: UInt64 {
    if case .promoted(_, _, let since) = place { since } else { openedAtMs }
  }

  /// Returns whether this session replaces `other` as the publisher of the same attendee.
  ///
  /// If this session is newer, `presence` admitted it later than `other`, so `other` is about to
  /// end. But the two sessions have different gateways, and `other`'s gateway may not know this
  /// yet.
  func hasOvertaken(_ other: TileBoardSession) -> Bool {
    publisher != nil && publisher?.id == other.publisher?.id
      && contact.gateway != other.contact.gateway
      && SessionArrival.promotion.isOvertaken(
        openedAtMs: other.publishesSinceMs, by: publishesSinceMs)
  }

  /// The capabilities in the meeting in which the session publishes.
  private var sendingCapabilities: AttendeeCapabilities {
    switch place {
    case .primary, .replica: capabilities
    case .promoted(_, let capabilities, _): capabilities
    }
  }

  func maySend(_ kind: VideoSourceKind) -> Bool {
    publisher != nil && kind.direction(in: sendingCapabilities).canSend
  }

  /// Returns whether the session is the attendee's own, or publishes as this attendee.
  func belongs(to attendee: AttendeeID) -> Bool {
    participant.attendee == attendee || publisher?.id.attendee == attendee
  }

  /// Sets the capabilities of an attendee if the session is the attendee's own, or publishes as
  /// this attendee.
  mutating func setCapabilities(of attendee: AttendeeID, to capabilities: AttendeeCapabilities) {
    if participant.attendee == attendee { self.capabilities = capabilities }
    if case .promoted(let identity, _, let since) = place, identity.id.attendee == attendee {
      place = .promoted(as: identity, capabilities, sinceMs: since)
    }
  }

  // MARK: Receiving

  /// The codecs that the session decodes; `nil` while the session receives no video.
  var decodedCodecs: VideoCodecSet? {
    let mayReceive =
      VideoSourceKind.camera.direction(in: capabilities).canReceive
      || VideoSourceKind.content.direction(in: capabilities).canReceive
    return isReceiving && mayReceive ? decodableCodecs : nil
  }

  /// Pauses or resumes a tile for the session's user.
  mutating func setPaused(_ tile: TileID, to isPaused: Bool) {
    if isPaused { pausedTiles.insert(tile) } else { pausedTiles.remove(tile) }
  }

  /// Processes a report in which `media` describes the session's link.
  ///
  /// - Returns: Whether the board must decide about the session's tiles again.
  mutating func report(_ report: DownlinkReport, at now: ContinuousClock.Instant) -> Bool {
    let isOther = (starved, stalled) != (report.starved, report.stalled)
    (starved, stalled) = (report.starved, report.stalled)
    return downlink.report(report.estimate, at: now) || isOther
  }

  /// Advances the budget of the link to the present time.
  ///
  /// - Returns: Whether the board must decide about the session's tiles again.
  mutating func advance(to now: ContinuousClock.Instant) -> Bool { downlink.advance(to: now) }

  /// Decides about the session's tiles again, after a change of anything except the session's
  /// budget.
  ///
  /// - Parameter sources: The sources in the order of tile ids. Older sources come first in the
  ///   allocation.
  mutating func refresh(
    for sources: [TileBoardSource], rules: VideoTilesRules, with allocator: inout LayerAllocator
  ) {
    demands.removeAll(keepingCapacity: true)
    demanding.removeAll(keepingCapacity: true)
    var fresh: [TileDecision] = []
    fresh.reserveCapacity(sources.count)
    var camerasLeft = rules.maxVideosWithoutSubscription
    for index in sources.indices where !belongs(to: sources[index].publisher.attendee) {
      let (decision, demand) = consider(sources[index], camerasLeft: &camerasLeft)
      if let demand {
        demands.append(demand)
        demanding.append(fresh.count)
      }
      fresh.append(decision)
    }
    let before = decisions
    decisions = fresh
    forgetPausesWithoutTiles()
    allocate(since: before, with: &allocator)
  }

  /// Decides about a source without regard to the link.
  ///
  /// If the session may get the source, also returns the demand for the source.
  private func consider(
    _ source: TileBoardSource, camerasLeft: inout Int
  ) -> (TileDecision, CandidateLayers?) {
    var decision = TileDecision(tile: source.tile, reason: .notSubscribed)
    guard isReceiving, source.kind.direction(in: capabilities).canReceive else {
      decision.reason = .receivingOff
      return (decision, nil)
    }
    var subscription = ReceiverVideoSubscription()
    switch subscriptions {
    case .automatic:
      if source.kind == .camera { camerasLeft -= 1 }
      decision.reason = .overLimit
      guard source.kind == .content || camerasLeft >= 0 else { return (decision, nil) }
    case .chosen(let chosen):
      guard let wanted = chosen[source.publisher] else { return (decision, nil) }
      subscription = wanted
    }
    decision.priority = subscription.priority
    guard pausedTiles.isEmpty || !pausedTiles.contains(source.tile) else {
      decision.reason = .pausedByUser
      return (decision, nil)
    }
    guard decodableCodecs.contains(source.codec) else {
      decision.reason = .cannotDecode
      return (decision, nil)
    }
    let demand = source.ladder.demand(
      priority: subscription.priority, target: subscription.target,
      preference: subscription.preference)
    decision.reason = demand == nil ? .notFlowing : .wanted
    decision.isStalled = source.isSilent
    return (decision, demand)
  }

  private mutating func forgetPausesWithoutTiles() {
    guard !pausedTiles.isEmpty else { return }
    let shown = decisions.filter { $0.pauseState != nil }.map(\.tile)
    pausedTiles.formIntersection(shown)
  }

  /// Decides about the session's layers again, after a change of only the session's link.
  mutating func allocate(with allocator: inout LayerAllocator) {
    allocate(since: decisions, with: &allocator)
  }

  private mutating func allocate(
    since before: [TileDecision], with allocator: inout LayerAllocator
  ) {
    allocator.allocate(
      starved.isEmpty ? demands : demandsOfStarving(since: before), within: downlink.usable)
    for index in demanding { decisions[index].isStalled = stalled.contains(decisions[index].tile) }
    for (index, demand) in demands.enumerated() {
      let level = Int(allocator.levels[index])
      decisions[demanding[index]].layer = demand.layer(at: level)
      decisions[demanding[index]].temporalLayers = demand.temporalLayers(at: level)
      decisions[demanding[index]].bitrate = Bitrate(bitsPerSecond: demand.bits(at: level))
      decisions[demanding[index]].reason =
        level == demand.count ? .wanted : level == 0 ? .pausedForBandwidth : .lowered
    }
  }

  /// Returns the demands to use while some tiles starve. Tiles with a lower priority than a
  /// starving tile get no higher level than in `before`.
  private func demandsOfStarving(since before: [TileDecision]) -> [CandidateLayers] {
    let starving = demanding.indices.filter { starved.contains(decisions[demanding[$0]].tile) }
    guard let highest = starving.map({ demands[$0].priority }).max() else { return demands }
    return demands.indices.map { index in
      guard demands[index].priority < highest else { return demands[index] }
      let tile = decisions[demanding[index]].tile
      let former = before.first { $0.tile == tile }
      return demands[index].limited(
        toLayer: former?.layer ?? 0, temporalLayers: former?.temporalLayers ?? 0)
    }
  }

  // MARK: View

  /// Returns the decision about a source.
  func decision(about tile: TileID) -> TileDecision? {
    decisions.first { $0.tile == tile }
  }

  /// Returns the tiles that have changed since earlier decisions, in the order of tile ids.
  ///
  /// A change of only the layer does not count.
  ///
  /// - Parameter before: The earlier decisions, in the order of tile ids.
  func changes(since before: [TileDecision]) -> [(tile: TileID, isShown: Bool)] {
    var changes: [(tile: TileID, isShown: Bool)] = []
    var old = before[...]
    for decision in decisions {
      while let gone = old.first, gone.tile < decision.tile {
        if gone.pauseState != nil { changes.append((gone.tile, false)) }
        old = old.dropFirst()
      }
      let known = old.first?.tile == decision.tile ? old.popFirst() : nil
      let now = decision.pauseState
      guard now != known?.pauseState else { continue }
      changes.append((decision.tile, now != nil))
    }
    for gone in old where gone.pauseState != nil { changes.append((gone.tile, false)) }
    return changes
  }
}
