import MeetingModel

/// All meetings of one video-tiles instance, and the gateways that speak for their clients.
///
/// A value like ``TileBoard``. What must be told gathers in order, also when an operation throws;
/// ``takeEffects()`` hands it over.
struct Boards: Sendable {
  let rules: VideoTilesRules

  private let term: UInt64
  private var seed: UInt64
  private var boards: [MeetingID: TileBoard] = [:]
  private var gateways: GatewayTable
  private var effects: [BoardEffect] = []
  private var deadlines: [MeetingID: ContinuousClock.Instant] = [:]

  /// Call ``advance(to:)`` then; it may be earlier than need be. `nil`: nothing will happen by
  /// itself.
  private(set) var nextDeadline: ContinuousClock.Instant?

  /// A new owner, which knows nothing yet.
  ///
  /// - Parameters:
  ///   - term: Of the owner, from 1.
  ///   - seed: What SSRCs are drawn from.
  init(
    rules: VideoTilesRules, term: UInt64, seed: UInt64, at now: ContinuousClock.Instant
  ) {
    self.rules = rules
    self.term = term
    self.seed = seed
    gateways = GatewayTable(
      silence: rules.gatewaySilence, recovery: rules.recovery, at: now)
    nextDeadline = gateways.nextDeadline
  }

  // MARK: What it knows

  /// Whether boards may lack somebody who is connected: a snapshot would tell false removals.
  var isRecovering: Bool { gateways.isRecovering }

  var meetingCount: Int { boards.count }
  var gatewayCount: Int { gateways.count }
  var receiverCount: Int { boards.values.reduce(0) { $0 + $1.sessions.count } }

  func sourceCount(of kind: SourceKind) -> Int {
    boards.values.reduce(0) { $0 + $1.count(of: kind) }
  }

  /// The board of a meeting, if it is known.
  func board(of meeting: MeetingID) -> TileBoard? { boards[meeting] }

  /// What must be done, in order. It is handed over once.
  mutating func takeEffects() -> [BoardEffect] {
    defer { effects = [] }
    return effects
  }

  // MARK: Sessions

  /// Makes the meeting known, so that its stream has a beginning.
  mutating func open(_ meeting: MeetingID, at now: ContinuousClock.Instant) {
    change(meeting, at: now) { _ in [] }
  }

  /// A client opened or resumed a session.
  ///
  /// - Parameter run: Differs after each start of the gateway. A new one orphans whom the gateway
  ///   had before.
  mutating func join(
    _ session: SessionDescription, in meeting: MeetingID, through gateway: GatewayName,
    run: UInt64, as admission: Admission, at now: ContinuousClock.Instant
  ) throws(VideoTilesError) {
    hear(gateway, run: run, at: now)
    try change(meeting, at: now) { board throws(VideoTilesError) in
      try board.join(session, through: gateway, as: admission, at: now)
    }
  }

  /// Lets the board of a meeting decide something about a session that is on it.
  mutating func decide<Answer>(
    in meeting: MeetingID, at now: ContinuousClock.Instant,
    _ body: (inout TileBoard) throws(VideoTilesError) -> (Answer, [TileEffect])
  ) throws(VideoTilesError) -> Answer {
    guard boards[meeting] != nil else { throw isRecovering ? .recovering : .unknownSession }
    var answer: Answer?
    try change(meeting, at: now) { board throws(VideoTilesError) in
      let (decided, effects) = try body(&board)
      answer = decided
      return effects
    }
    guard let answer else { throw .unknownSession }
    return answer
  }

  /// Lets the board of a meeting take something in. Nothing happens if the meeting is not known.
  mutating func inform(
    _ meeting: MeetingID, at now: ContinuousClock.Instant,
    _ body: (inout TileBoard) -> [TileEffect]
  ) {
    if boards[meeting] != nil { change(meeting, at: now, body) }
  }

  /// What an attendee may do has changed.
  mutating func setCapabilities(
    _ attendee: AttendeeID, in meeting: MeetingID, to capabilities: AttendeeCapabilities,
    at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.setCapabilities(attendee, to: capabilities, at: now) }
  }

  /// The meeting is over, whether anybody is in it or not.
  mutating func endMeeting(_ meeting: MeetingID, at now: ContinuousClock.Instant) {
    if boards[meeting]?.hasEnded == true { return }
    change(meeting, at: now) { board in
      board.end(at: now)
      return []
    }
    effects.append(.end(meeting))
  }

  // MARK: Gateways

  /// A gateway says that it is alive.
  ///
  /// - Returns: Whether it has to announce its sessions.
  mutating func gatewayIsAlive(
    _ gateway: GatewayName, run: UInt64, at now: ContinuousClock.Instant
  ) -> Bool {
    hear(gateway, run: run, at: now)
    return !gateways.hasAnnounced(gateway)
  }

  /// A gateway announces sessions that it has.
  ///
  /// - Parameter isLast: Whether it has no more.
  mutating func announce(
    _ sessions: [(MeetingID, SessionDescription)], isLast: Bool, by gateway: GatewayName,
    run: UInt64, at now: ContinuousClock.Instant
  ) {
    hear(gateway, run: run, at: now)
    let byMeeting = Dictionary(grouping: sessions, by: \.0)
    for (meeting, sessions) in byMeeting.sorted(by: { $0.key < $1.key }) {
      change(meeting, at: now) { $0.announce(sessions.map(\.1), through: gateway, at: now) }
    }
    if isLast { gateways.didAnnounce(gateway) }
    finishRecovery(at: now)
  }

  /// Which gateways are alive as the registry has it.
  mutating func expect(_ names: Set<GatewayName>, at now: ContinuousClock.Instant) {
    gateways.expect(names)
    finishRecovery(at: now)
  }

  /// A gateway spoke, without saying which run of it.
  mutating func hear(_ gateway: GatewayName, run: UInt64?, at now: ContinuousClock.Instant) {
    if gateways.hear(gateway, run: run, at: now) { lose(gateway, at: now) }
    schedule(now + rules.gatewaySilence)
  }

  private mutating func lose(_ gateway: GatewayName, at now: ContinuousClock.Instant) {
    for meeting in boards.keys.sorted() {
      change(meeting, at: now) { $0.loseGateway(gateway, at: now) }
    }
  }

  private mutating func finishRecovery(at now: ContinuousClock.Instant) {
    guard gateways.endRecovery(at: now) else { return }
    for meeting in boards.keys.sorted() {
      change(meeting, at: now) { $0.endRecovery(at: now) }
    }
  }

  // MARK: Time

  /// Does everything that is due.
  mutating func advance(to now: ContinuousClock.Instant) {
    for name in gateways.removeSilent(at: now) { lose(name, at: now) }
    finishRecovery(at: now)
    for meeting in deadlines.filter({ $0.value <= now }).keys.sorted() {
      change(meeting, at: now) { $0.advance(to: now) }
      if let end = boards[meeting]?.forgettableAt, end <= now { forget(meeting) }
    }
    nextDeadline = gateways.nextDeadline
    if let earliest = deadlines.values.min() { schedule(earliest) }
  }

  private mutating func forget(_ meeting: MeetingID) {
    boards[meeting] = nil
    deadlines[meeting] = nil
    effects.append(.forget(meeting))
  }

  private mutating func schedule(_ moment: ContinuousClock.Instant) {
    nextDeadline = nextDeadline.map { min($0, moment) } ?? moment
  }

  // MARK: Changing a board

  private mutating func change<Failure: Error>(
    _ meeting: MeetingID, at now: ContinuousClock.Instant,
    _ body: (inout TileBoard) throws(Failure) -> [TileEffect]
  ) throws(Failure) {
    defer { reschedule(meeting) }
    if boards[meeting] == nil { seed &+= 1 }
    let new = TileBoard(rules: rules, isRecovering: isRecovering, term: term, seed: seed, at: now)
    let effects = try body(&boards[meeting, default: new])
    self.effects += effects.map { .tiles($0, of: meeting) }
  }

  private mutating func reschedule(_ meeting: MeetingID) {
    let board = boards[meeting]
    let deadline = [board?.nextDeadline, board?.forgettableAt].compactMap(\.self).min()
    deadlines[meeting] = deadline
    if let deadline { schedule(deadline) }
  }
}

/// What must be done about a meeting.
enum BoardEffect: Hashable, Sendable {
  case tiles(TileEffect, of: MeetingID)
  /// The meeting is over: whoever watches it is told.
  case end(MeetingID)
  /// The meeting is known no more: its stream ends here.
  case forget(MeetingID)
}
