import MeetingModel
import OwnerTestSupport
import Ownership
import TestSupport

@testable import VideoTiles

/// One meeting under random operations from a seed, and clients that apply all events.
///
/// The simulation throws a ``Violation`` at the first broken rule.
struct TileSimulation {
  private let seed: UInt64
  private var random: SeededGenerator
  private var step = 0
  private var now = ContinuousClock.now
  private var board: TileBoard

  /// The clients' state: all sources, and the tiles of each client.
  private var knownSources: [TileID: PublishedVideoSource] = [:]
  private var knownTiles: [ParticipantID: [TileID: TilePauseState]] = [:]
  private var knownCameras: [ParticipantID: CameraAvailability] = [:]

  /// Media's state.
  private var forwarded: [SessionID: ReceiverDecision] = [:]
  private var forwardedSources: [TileID: ForwardedSource] = [:]

  static let rules = VideoTilesRules(
    maxCameras: 3, maxContentShares: 1, maxVideosWithoutSubscription: 2)

  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  init(seed: UInt64) {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    board = TileBoard(rules: Self.rules, isRecovering: false, term: 1, seed: seed, at: now)
  }

  mutating func run(steps: Int) throws(Violation) {
    for number in 0..<steps {
      step = number
      try operate()
    }
    try checkKnowledge()
    try checkThatARestartChangesNothing()
    try checkThatNothingFlaps()
  }

  // MARK: Operations

  private mutating func operate() throws(Violation) {
    let person = pick(Self.people)
    let session = person.session()
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<20: try join(person)
    case 20..<26: try take(board.leave(session, at: now))
    case 26..<46:
      if let declared = declaration(of: person),
        let effects = try? board.publish(declared, from: session).effects
      {
        try take(effects)
      }
    case 46..<50: try take(board.unpublish(VideoSourceKind(of: person.participant), from: session))
    case 50..<62:
      let removed = [pick(Self.people).participant]
      if let effects = try? board.updateSubscriptions(
        of: session, adding: wishes(), removing: flip() ? removed : [])
      {
        try take(effects)
      }
    case 62..<80: try reportDownlink()
    case 80..<85: try take(board.reportTracks([track()], at: now))
    case 85..<90:
      let tile = TileID.numbered(UInt32.random(in: 1...8, using: &random))
      if let effects = try? board.setPaused(tile, of: session, to: flip()).effects {
        try take(effects)
      }
    case 90..<92:
      if let effects = try? board.setRemoteVideo(session, to: flip()) { try take(effects) }
    case 92..<94:
      let capabilities = pick([AttendeeCapabilities.all, .watching, .sending])
      try take(board.setCapabilities(person.attendee, to: capabilities, at: now))
    case 94..<96:
      try take(board.detach(session, from: .a, lastHeard: now, at: now))
    default: try pass(.milliseconds(Int.random(in: 0...8_000, using: &random)))
    }
  }

  private mutating func join(_ person: Person) throws(Violation) {
    let declared = flip() ? declaration(of: person) : nil
    var description = person.description(
      subscriptions: flip() ? .automatic : .chosen(wishes()),
      isReceiving: Int.random(in: 0..<8, using: &random) > 0)
    description.choices.published = declared.map { [$0] } ?? []
    let isNew = board.sessions[description.id] == nil
    guard
      let effects = try? board.join(
        description, through: .a, as: isNew ? .start : .resume, at: now)
    else { return }
    // The reply contains a snapshot, which includes the receiver and all earlier events.
    if isNew { forgetReceiver(person.participant) }
    try take(effects, snapshotFor: isNew ? person.participant : nil)
  }

  private mutating func reportDownlink() throws(Violation) {
    let reports = board.sessions.all.filter { _ in flip() }.map { session in
      DownlinkReport(
        session: session.id, estimate: .kilobits(Int.random(in: 0...4_000, using: &random)))
    }
    try take(board.reportDownlink(reports, at: now))
  }

  private mutating func pass(_ duration: Duration) throws(Violation) {
    let target = now + duration
    while let deadline = board.nextDeadline, deadline <= target {
      now = max(now, deadline)
      try take(board.advance(to: now))
      if let next = board.nextDeadline { try check(next > now, "a deadline stays due") }
    }
    now = target
  }

  // MARK: Random things

  private static let people =
    (1...6).map { Person(number: $0) } + [Person.ada.content, Person.grace.content]

  private mutating func declaration(of person: Person) -> SourceDeclaration? {
    guard person.modality == nil else { return .content(Int.random(in: 1...3_000, using: &random)) }
    var rates: [Int] = []
    for _ in 0...Int.random(in: 0...2, using: &random) {
      rates.append((rates.last ?? 0) + Int.random(in: 50...900, using: &random))
    }
    return .declared(.camera, rates)
  }

  private mutating func wishes() -> [ParticipantID: ReceiverVideoSubscription] {
    var wishes: [ParticipantID: ReceiverVideoSubscription] = [:]
    for person in Self.people where flip() {
      let size = pick([
        FrameSize(width: 320, height: 180), FrameSize(width: 640, height: 360), .standard,
      ])
      wishes[person.participant] = ReceiverVideoSubscription(
        priority: pick(VideoPriority.allCases), target: size)
    }
    return wishes
  }

  private mutating func track() -> SourceLayerReport {
    SourceLayerReport(
      tile: .numbered(UInt32.random(in: 1...8, using: &random)),
      layer: Int.random(in: 0...4, using: &random),
      isFlowing: Int.random(in: 0..<4, using: &random) > 0,
      bitrate: .kilobits(Int.random(in: 0...2_000, using: &random)))
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private mutating func flip() -> Bool { Bool.random(using: &random) }

  // MARK: Reports

  private mutating func take(
    _ effects: [TileEffect], snapshotFor newcomer: ParticipantID? = nil
  ) throws(Violation) {
    for effect in effects {
      switch effect {
      case .publish(let event, let audience): try fold(event, for: audience)
      case .forward(let change): try fold(change)
      case .end: break
      }
    }
    if let newcomer {
      for receiver in board.tiles(of: [newcomer]) {
        knownTiles[newcomer] = Dictionary(
          uniqueKeysWithValues: receiver.tiles.map { ($0.tile, $0.pauseState) })
        knownCameras[newcomer] = receiver.camera
      }
    }
    if newcomer != nil || step % 3 == 0 { try checkKnowledge() }
    try checkDecisions()
  }

  private mutating func fold(
    _ event: TileEvent, for audience: [ParticipantID]
  ) throws(Violation) {
    switch event {
    case .sources(let available, let unavailable):
      try check(!available.isEmpty || !unavailable.isEmpty, "an event names no source")
      for source in unavailable {
        try check(knownSources[source.tile] != nil, "a source ended twice")
        knownSources[source.tile] = nil
        for participant in knownTiles.keys { knownTiles[participant]?[source.tile] = nil }
      }
      for source in available {
        try check(knownSources[source.tile] != source, "a source was told twice")
        knownSources[source.tile] = source
      }
    case .tiles(let changes):
      try check(!audience.isEmpty && !changes.isEmpty, "tiles of nobody changed, or none")
      for participant in audience {
        for change in changes { try fold(change, of: participant) }
      }
    case .camera(let availability):
      for participant in audience {
        try check(knownCameras[participant] != availability, "a camera was told twice")
        knownCameras[participant] = availability
      }
    case .publishedEnded, .codecs: break
    }
  }

  private mutating func fold(
    _ change: TileChange, of participant: ParticipantID
  ) throws(Violation) {
    switch change {
    case .shows(let view):
      try check(
        knownTiles[participant]?[view.tile] != view.pauseState, "a tile was told twice")
      knownTiles[participant, default: [:]][view.tile] = view.pauseState
    case .removed(let tile, _):
      try check(knownTiles[participant]?[tile] != nil, "a tile was removed twice")
      knownTiles[participant]?[tile] = nil
    }
  }

  private mutating func fold(_ change: ForwardingChange) throws(Violation) {
    try check(!change.isEmpty, "a change for media says nothing")
    for session in change.endedSessions { forwarded[session] = nil }
    for tile in change.endedTiles { forwardedSources[tile] = nil }
    for source in change.sources { forwardedSources[source.source.tile] = source }
    for receiver in change.receivers { forwarded[receiver.session] = receiver }
  }

  private mutating func forgetReceiver(_ participant: ParticipantID) {
    knownTiles[participant] = nil
    knownCameras[participant] = nil
  }

  // MARK: Promises

  private func checkKnowledge() throws(Violation) {
    try check(
      board.sources == knownSources.values.sorted { $0.tile < $1.tile },
      "the events do not add up to the sources")
    for receiver in board.tiles() {
      let tiles = Dictionary(
        uniqueKeysWithValues: receiver.tiles.map { ($0.tile, $0.pauseState) })
      try check(
        knownTiles[receiver.participant, default: [:]] == tiles,
        "the events do not add up to the tiles of \(receiver.participant)")
      try check(
        receiver.participant.isContent || knownCameras[receiver.participant] == receiver.camera,
        "the events do not add up to who may send")
    }
    for session in board.sessions.all {
      try check(session.camera == board.availability(of: session), "a camera is not told")
    }
    let whole = board.forwarding
    try check(
      forwardedSources.values.sorted { $0.source.tile < $1.source.tile } == whole.sources,
      "media does not know the sources")
    try check(
      forwarded.count == whole.receivers.count
        && whole.receivers.allSatisfy { forwarded[$0.session]?.decisions == $0.decisions },
      "media does not know the decisions")
    try check(board.count(of: .camera) <= Self.rules.maxCameras, "too many cameras")
    try check(board.count(of: .content) <= Self.rules.maxContentShares, "too many shares")
    let numbers = board.sources.flatMap { $0.layers.compactMap(\.ssrc) + [$0.track] }
    try check(Set(numbers).count == numbers.count, "two streams have one SSRC")
  }

  private func checkDecisions() throws(Violation) {
    for session in board.sessions.all {
      let decisions = session.decisions
      try check(
        decisions.allSatisfy { ($0.layer > 0) == ($0.reason == .wanted || $0.reason == .lowered) },
        "a reason and its layer disagree")
      if case .automatic = session.subscriptions, session.isReceiving {
        let cameras = decisions.count { decision in
          decision.reason.pauseState != nil && board.source(decision.tile)?.kind == .camera
        }
        try check(
          cameras <= Self.rules.maxVideosWithoutSubscription, "too many videos by themselves")
      }
      guard let usable = session.downlink.usable, let estimate = session.downlink.estimate
      else { continue }
      try check(usable <= estimate, "more is used than estimated")
      try checkThatItFits(decisions, usable)
      try checkThatGroupsGiveInOrder(decisions, usable, session)
    }
  }

  private func checkThatItFits(
    _ decisions: [TileDecision], _ usable: Bitrate
  ) throws(Violation) {
    let sum = decisions.reduce(Bitrate.zero) { $0 + $1.bitrate }
    try check(sum <= usable, "\(sum) is sent over a link of \(usable)")
  }

  /// Checks the order in which groups of tiles lose layers. A group has the tiles of one priority.
  /// A tile may lack a layer only if the link would have no room for this layer after the removal
  /// of all layers of groups with lower priority. The board may pause a tile only if the link has
  /// no room for the tile when every other tile of the group has its lowest layer.
  private func checkThatGroupsGiveInOrder(
    _ decisions: [TileDecision], _ usable: Bitrate, _ session: TileBoardSession
  ) throws(Violation) {
    for decision in decisions {
      guard decision.reason == .lowered || decision.reason == .pausedForBandwidth,
        let demand = demand(of: decision, session)
      else { continue }
      let level = (0...demand.count).first { demand.layer(at: $0) == decision.layer } ?? 0
      try check(level < demand.count, "a tile lacks nothing and is said to")
      let step = demand.bits(at: level + 1) - demand.bits(at: level)
      var above = 0
      for other in decisions where other.layer > 0 && other.priority >= decision.priority {
        let isOwnGroup = other.priority == decision.priority && decision.layer == 0
        let least = isOwnGroup ? self.demand(of: other, session)?.bits(at: 1) : nil
        above += least ?? other.bitrate.bitsPerSecond
      }
      let room = usable.bitsPerSecond - above
      try check(step > room, "tile \(decision.tile) lacks \(step) where there is \(room)")
    }
  }

  private func demand(of decision: TileDecision, _ session: TileBoardSession) -> CandidateLayers? {
    guard let source = board.boardSources.first(where: { $0.tile == decision.tile }) else {
      return nil
    }
    var target = FrameSize.standard
    if case .chosen(let chosen) = session.subscriptions {
      target = chosen[source.publisher]?.target ?? target
    }
    return source.ladder.demand(priority: decision.priority, target: target)
  }

  /// Checks that a new owner that receives the same sessions, in any order, makes the same
  /// decisions as the former owner. Also checks that no session loses a tile.
  private mutating func checkThatARestartChangesNothing() throws(Violation) {
    var other = TileBoard(
      rules: Self.rules, isRecovering: true, term: 2, seed: ~seed, at: now)
    var sessions = board.sessions.all
    sessions.shuffle(using: &random)
    for session in sessions {
      _ = try? other.join(announced(session), through: .a, as: .announcement, at: now)
    }
    try check(other.nextDeadline == nil, "a board acts during recovery")
    _ = other.endRecovery(at: now)
    let flows = board.boardSources.flatMap { source in source.reports }
    _ = other.reportTracks(flows.shuffled(using: &random), at: now)
    for session in sessions {
      guard let usable = session.downlink.usable else { continue }
      _ = other.reportDownlink([DownlinkReport(session: session.id, estimate: usable)], at: now)
    }
    try check(
      Set(other.sources.map(\.tile)) == Set(board.sources.map(\.tile)), "tiles have other ids")
    for session in board.sessions.all {
      try check(
        other.sessions[session.id]?.decisions == session.decisions,
        "\(session.participant) gets something else after a restart")
    }
  }

  private func announced(_ session: TileBoardSession) -> AnnouncedSession {
    AnnouncedSession(
      id: session.id, identity: session.identity, capabilities: session.capabilities,
      place: session.place,
      choices: ClientVideoPreferences(
        published: board.sources(from: session.id).compactMap { source in
          try? SourceDeclaration(
            kind: source.kind, layers: source.layers, hint: source.hint, tile: source.tile,
            track: source.track)
        }, subscriptions: session.subscriptions, pausedTiles: session.pausedTiles,
        isReceiving: session.isReceiving))
  }

  /// Checks that under constant estimates each tile changes at most once.
  private mutating func checkThatNothingFlaps() throws(Violation) {
    let reports = board.sessions.all.compactMap { session in
      session.downlink.estimate.map { DownlinkReport(session: session.id, estimate: $0) }
    }
    // This code removes lost sessions first, because their removal changes the layers of other
    // clients.
    try pass(.seconds(6))
    var changes: [SessionID: Int] = [:]
    for _ in 0..<10 {
      let before = board.forwarding.receivers
      try take(board.reportDownlink(reports, at: now))
      try pass(.seconds(2))
      for (old, new) in zip(before, board.forwarding.receivers) where old.decisions != new.decisions
      {
        changes[new.session, default: 0] += 1
      }
    }
    try checkKnowledge()
    try check(changes.values.allSatisfy { $0 <= 1 }, "tiles flap under constant estimates")
    for session in board.sessions.all {
      try check(session.downlink.usable == session.downlink.estimate, "bandwidth lies idle")
    }
  }

  private func check(_ holds: Bool, _ promise: String) throws(Violation) {
    if !holds { throw Violation(description: "Seed \(seed), step \(step): \(promise).") }
  }
}

extension TileBoardSource {
  /// The reports that give another board the same measurements as this board.
  fileprivate var reports: [SourceLayerReport] {
    zip(1..., flows).map { layer, flow in
      SourceLayerReport(tile: tile, layer: layer, isFlowing: flow.isFlowing, bitrate: flow.bitrate)
    }
  }
}
