import MeetingModel
import Ownership

/// One session on a board: what it asked for, what it can carry, what it gets.
struct BoardSession: Sendable {
  let id: SessionID

  /// Who receives.
  let identity: ParticipantIdentity

  var capabilities: AttendeeCapabilities
  var place: Place
  var contact: Contact

  /// When it came to the gateway that has it, in milliseconds since 1970-01-01T00:00:00Z; 0: not
  /// known.
  private(set) var openedAtMs: UInt64
  var isReceiving: Bool
  var subscriptions: Subscriptions

  /// What its user paused.
  private(set) var pausedTiles: Set<TileID>

  /// What its client was told of its camera.
  var camera: CameraAvailability = .notAllowed

  /// What it gets of all sources but its own, in the order of their tile ids.
  private(set) var decisions: [TileDecision] = []

  private(set) var downlink: DownlinkBudget

  /// Tiles whose frames find no room, and such that get none, as media said last.
  private var starved: Set<TileID> = []
  private var stalled: Set<TileID> = []
  private var demands: [Demand] = []

  /// Which decision each demand is about.
  private var demanding: [Int] = []

  /// Whether something happens to it by itself: it is given up, or its link is used for more.
  var isWaiting: Bool { !contact.isConnected || downlink.deadline != nil }

  init(
    _ session: AnnouncedSession, contact: Contact, rules: VideoTilesRules
  ) {
    id = session.id
    identity = session.identity
    capabilities = session.capabilities
    place = session.place
    self.contact = contact
    openedAtMs = session.openedAtMs
    isReceiving = session.choices.isReceiving
    subscriptions = session.choices.subscriptions
    pausedTiles = session.choices.pausedTiles
    downlink = DownlinkBudget(rules.raising)
  }

  /// Takes over what its client declares anew.
  mutating func renew(from session: AnnouncedSession, contact: Contact) {
    capabilities = session.capabilities
    place = session.place
    self.contact = contact
    openedAtMs = session.openedAtMs
    isReceiving = session.choices.isReceiving
    subscriptions = session.choices.subscriptions
    pausedTiles = session.choices.pausedTiles
  }

  var participant: ParticipantID { identity.id }

  // MARK: Publishing

  /// The attendee as whom it publishes; `nil`: it does not.
  var publisher: ParticipantIdentity? {
    switch place {
    case .primary: identity
    case .replica: nil
    case .promoted(let identity, _, _): identity
    }
  }

  /// When its client came to the meeting, or asked to be promoted into it.
  private var publishesSinceMs: UInt64 {
    if case .promoted(_, _, let since) = place { since } else { openedAtMs }
  }

  /// Whether presence has let this one in after `other` as the attendee as whom both publish, so
  /// that the other one is about to go: gateways are told by presence at their own times.
  func hasOvertaken(_ other: BoardSession) -> Bool {
    publisher != nil && publisher?.id == other.publisher?.id
      && contact.gateway != other.contact.gateway
      && Arrival.promotion.isOvertaken(
        openedAtMs: other.publishesSinceMs, by: publishesSinceMs)
  }

  /// What it may do where it publishes.
  private var sendingCapabilities: AttendeeCapabilities {
    switch place {
    case .primary, .replica: capabilities
    case .promoted(_, let capabilities, _): capabilities
    }
  }

  func maySend(_ kind: VideoSourceKind) -> Bool {
    publisher != nil && kind.direction(in: sendingCapabilities).canSend
  }

  /// Whether this is the session of that attendee, or publishes as it.
  func belongs(to attendee: AttendeeID) -> Bool {
    participant.attendee == attendee || publisher?.id.attendee == attendee
  }

  /// New capabilities of an attendee that this session belongs to.
  mutating func setCapabilities(of attendee: AttendeeID, to capabilities: AttendeeCapabilities) {
    if participant.attendee == attendee { self.capabilities = capabilities }
    if case .promoted(let identity, _, let since) = place, identity.id.attendee == attendee {
      place = .promoted(as: identity, capabilities, sinceMs: since)
    }
  }

  // MARK: Receiving

  /// Its user pauses or resumes a tile.
  mutating func setPaused(_ tile: TileID, to isPaused: Bool) {
    if isPaused { pausedTiles.insert(tile) } else { pausedTiles.remove(tile) }
  }

  /// Media measured its link.
  ///
  /// - Returns: Whether its tiles have to be decided anew.
  mutating func report(_ report: DownlinkReport, at now: ContinuousClock.Instant) -> Bool {
    let isOther = (starved, stalled) != (report.starved, report.stalled)
    (starved, stalled) = (report.starved, report.stalled)
    return downlink.report(report.estimate, at: now) || isOther
  }

  /// Time passed.
  ///
  /// - Returns: Whether its tiles have to be decided anew.
  mutating func advance(to now: ContinuousClock.Instant) -> Bool { downlink.advance(to: now) }

  /// Decides what it gets, after anything but its budget changed.
  ///
  /// - Parameter sources: In the order of their tile ids: older ones are served first.
  mutating func refresh(
    for sources: [BoardSource], rules: VideoTilesRules, with allocator: inout LayerAllocator
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

  /// What is decided about a source without looking at the link; and, if it may be sent, what the
  /// link is asked for.
  private func consider(
    _ source: BoardSource, camerasLeft: inout Int
  ) -> (TileDecision, Demand?) {
    var decision = TileDecision(tile: source.tile, reason: .notSubscribed)
    guard isReceiving, source.kind.direction(in: capabilities).canReceive else {
      decision.reason = .receivingOff
      return (decision, nil)
    }
    var subscription = Subscription()
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
    let demand = source.ladder.demand(priority: subscription.priority, target: subscription.target)
    decision.reason = demand == nil ? .notFlowing : .wanted
    decision.isStalled = source.isSilent
    return (decision, demand)
  }

  private mutating func forgetPausesWithoutTiles() {
    guard !pausedTiles.isEmpty else { return }
    let shown = decisions.filter { $0.pauseState != nil }.map(\.tile)
    pausedTiles.formIntersection(shown)
  }

  /// Decides what it gets, after only what its link does changed.
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
      decisions[demanding[index]].bitrate = Bitrate(bitsPerSecond: demand.bits(at: level))
      decisions[demanding[index]].reason =
        level == demand.count ? .wanted : level == 0 ? .pausedForBandwidth : .lowered
    }
  }

  /// While a tile gets less than what was decided, none that matters less goes up.
  private func demandsOfStarving(since before: [TileDecision]) -> [Demand] {
    let starving = demanding.indices.filter { starved.contains(decisions[demanding[$0]].tile) }
    guard let highest = starving.map({ demands[$0].priority }).max() else { return demands }
    return demands.indices.map { index in
      guard demands[index].priority < highest else { return demands[index] }
      let tile = decisions[demanding[index]].tile
      return demands[index].limited(toLayer: before.first { $0.tile == tile }?.layer ?? 0)
    }
  }

  // MARK: What it looks like

  /// What it gets of a source.
  func decision(about tile: TileID) -> TileDecision? {
    decisions.first { $0.tile == tile }
  }

  /// What changed of its tiles since these decisions, in the order of tile ids. A change of layer
  /// alone is none.
  ///
  /// - Parameter before: In that order too.
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
