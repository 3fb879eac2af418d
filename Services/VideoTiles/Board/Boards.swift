import MeetingModel
import Ownership

/// All meetings of one video-tiles instance, and the gateways that report its sessions.
///
/// A value like ``TileBoard``. Effects to publish are collected in order, also when an operation
/// throws; ``takeEffects()`` returns them.
struct Boards: OwnedCore {
  let rules: VideoTilesRules

  private let term: UInt64
  private var seed: UInt64
  private var table: MeetingTable<TileBoard>

  /// Makes a new owner without any state.
  ///
  /// - Parameters:
  ///   - term: The owner's term, from 1.
  ///   - seed: The seed of the SSRCs.
  init(
    rules: VideoTilesRules, term: UInt64, seed: UInt64, at now: ContinuousClock.Instant
  ) {
    self.rules = rules
    self.term = term
    self.seed = seed
    table = MeetingTable(timing: rules.timing, at: now)
  }

  // MARK: State

  /// Whether boards may lack connected attendees, so that a snapshot would show false removals.
  var isRecovering: Bool { table.isRecovering }
  func isRecovering(_ meeting: MeetingID) -> Bool { table.isRecovering(meeting) }
  func serves(_ meeting: MeetingID) -> Bool { table.serves(meeting) }

  var nextDeadline: ContinuousClock.Instant? { table.nextDeadline }
  var meetingCount: Int { table.count }
  var gatewayCount: Int { table.gateways.count }
  var receiverCount: Int { table.all.reduce(0) { $0 + $1.sessions.count } }

  func sourceCount(of kind: VideoSourceKind) -> Int {
    table.all.reduce(0) { $0 + $1.count(of: kind) }
  }

  /// The board of a meeting, if it is known.
  func board(of meeting: MeetingID) -> TileBoard? { table[meeting] }

  /// Returns the pending effects in order, and removes them.
  mutating func takeEffects() -> [MeetingEffect<TileEffect>] { table.takeEffects() }

  // MARK: Sessions

  /// Creates the meeting if it is unknown, so that its stream has a beginning.
  mutating func open(_ meeting: MeetingID, at now: ContinuousClock.Instant) {
    change(meeting, at: now) { _ in [] }
  }

  /// Adds a session that a client opened or resumed.
  ///
  /// - Parameter run: A number that changes with each start of the gateway. A new one orphans the
  ///   gateway's former sessions.
  mutating func join(
    _ session: AnnouncedSession, in meeting: MeetingID, through gateway: GatewayName,
    run: UInt64, as arrival: Arrival, at now: ContinuousClock.Instant
  ) throws(VideoTilesError) {
    hear(gateway, run: run, at: now)
    try change(meeting, at: now) { board throws(VideoTilesError) in
      try board.join(session, through: gateway, as: arrival, at: now)
    }
  }

  /// Lets the board of a meeting decide about one of its sessions.
  mutating func decide<Answer>(
    in meeting: MeetingID, at now: ContinuousClock.Instant,
    _ body: (inout TileBoard) throws(VideoTilesError) -> (Answer, [TileEffect])
  ) throws(VideoTilesError) -> Answer {
    guard table[meeting] != nil else { throw isRecovering ? .recovering : .unknownSession }
    var answer: Answer?
    try change(meeting, at: now) { board throws(VideoTilesError) in
      let (decided, effects) = try body(&board)
      answer = decided
      return effects
    }
    guard let answer else { throw .unknownSession }
    return answer
  }

  /// Updates the board of a meeting. Does nothing if the meeting is unknown.
  mutating func inform(
    _ meeting: MeetingID, at now: ContinuousClock.Instant,
    _ body: (inout TileBoard) -> [TileEffect]
  ) {
    table.changeKnown(meeting, body)
  }

  /// Changes the capabilities of an attendee.
  mutating func setCapabilities(
    _ attendee: AttendeeID, in meeting: MeetingID, to capabilities: AttendeeCapabilities,
    at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.setCapabilities(attendee, to: capabilities, at: now) }
  }

  /// Ends the meeting, even if it is empty.
  mutating func endMeeting(_ meeting: MeetingID, at now: ContinuousClock.Instant) {
    change(meeting, at: now) { $0.end(at: now) }
  }

  // MARK: Gateways

  /// Processes a gateway's heartbeat.
  ///
  /// - Returns: Whether the gateway must announce its sessions.
  mutating func gatewayIsAlive(
    _ gateway: GatewayName, run: UInt64, seeing membership: UInt64 = 0,
    at now: ContinuousClock.Instant
  ) -> Bool {
    table.gatewayIsAlive(gateway, run: run, seeing: membership, at: now)
  }

  /// Updates which meetings this instance owns.
  mutating func take(_ share: MeetingShare, at now: ContinuousClock.Instant) {
    table.take(share, at: now)
  }

  /// Records that a gateway lost a client that has been silent for `silentFor`.
  ///
  /// - Parameter gateway: The gateway that lost it; `nil` if unknown.
  ///
  /// Time in which the gateway itself was silent does not count as the client's silence.
  mutating func detach(
    _ session: SessionID, in meeting: MeetingID, from gateway: GatewayName?, silentFor: Duration,
    at now: ContinuousClock.Instant
  ) {
    let silence = table.credibleSilence(silentFor, from: gateway, at: now)
    table.changeKnown(meeting) {
      $0.detach(session, from: gateway, lastHeard: now - silence, at: now)
    }
  }

  /// Adds the sessions that a gateway announces.
  ///
  /// - Returns: The rejected sessions and the reasons.
  mutating func announce(
    _ part: AnnouncementPage<AnnouncedSession>, at now: ContinuousClock.Instant
  ) -> [RefusedSession<VideoTilesError>] {
    var refused: [RefusedSession<VideoTilesError>] = []
    let (rules, term) = (rules, term)
    var seed = seed
    table.announce(part, at: now) { table, meeting, sessions in
      if table[meeting] == nil { seed &+= 1 }
      table.change(
        meeting,
        else: { TileBoard(rules: rules, isRecovering: $0, term: term, seed: seed, at: now) }
      ) {
        let outcome = $0.announce(sessions, through: part.gateway, at: now)
        refused += outcome.refused
        return outcome.effects
      }
    }
    self.seed = seed
    return refused
  }

  /// Returns whether all of these gateways are heard, and no gateway reports other owners than this
  /// one sees.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool { table.gateways.vouch(for: gateways) }

  /// Sets the gateways that are alive according to the registry.
  ///
  /// Recovery waits for these and for all that were heard.
  mutating func expect(_ names: Set<GatewayName>, at now: ContinuousClock.Instant) {
    table.expect(names, at: now)
  }

  /// Records that a gateway is alive.
  ///
  /// - Parameter run: As for ``join(_:in:through:run:as:at:)``; `nil` if the gateway did not report
  ///   it.
  mutating func hear(_ gateway: GatewayName, run: UInt64?, at now: ContinuousClock.Instant) {
    table.hear(gateway, run: run, at: now)
  }

  // MARK: Time

  /// Runs everything that is due.
  mutating func advance(to now: ContinuousClock.Instant) { table.advance(to: now) }

  /// Discounts a stall of video-tiles from every measured silence.
  mutating func excuseSilence(of stall: Duration) { table.excuseSilence(of: stall) }

  // MARK: Changing a board

  private mutating func change<Failure: Error>(
    _ meeting: MeetingID, at now: ContinuousClock.Instant,
    _ body: (inout TileBoard) throws(Failure) -> [TileEffect]
  ) throws(Failure) {
    if table[meeting] == nil { seed &+= 1 }
    let (rules, term, seed) = (rules, term, seed)
    try table.change(
      meeting,
      else: { TileBoard(rules: rules, isRecovering: $0, term: term, seed: seed, at: now) }, body)
  }
}
