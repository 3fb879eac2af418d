import MeetingModel
import Ownership

/// All meetings of one video-tiles instance, and the gateways that speak for their clients.
///
/// A value like ``TileBoard``. What must be told gathers in order, also when an operation throws;
/// ``takeEffects()`` hands it over.
struct Boards: OwnedCore {
  let rules: VideoTilesRules

  private let term: UInt64
  private var seed: UInt64
  private var table: MeetingTable<TileBoard>

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
    table = MeetingTable(timing: rules.timing, at: now)
  }

  // MARK: What it knows

  /// Whether boards may lack somebody who is connected: a snapshot would tell false removals.
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

  /// What must be done, in order. It is handed over once.
  mutating func takeEffects() -> [MeetingEffect<TileEffect>] { table.takeEffects() }

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
    _ session: AnnouncedSession, in meeting: MeetingID, through gateway: GatewayName,
    run: UInt64, as arrival: Arrival, at now: ContinuousClock.Instant
  ) throws(VideoTilesError) {
    hear(gateway, run: run, at: now)
    try change(meeting, at: now) { board throws(VideoTilesError) in
      try board.join(session, through: gateway, as: arrival, at: now)
    }
  }

  /// Lets the board of a meeting decide something about a session that is on it.
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

  /// Lets the board of a meeting take something in. Nothing happens if the meeting is not known.
  mutating func inform(
    _ meeting: MeetingID, at now: ContinuousClock.Instant,
    _ body: (inout TileBoard) -> [TileEffect]
  ) {
    table.changeKnown(meeting, body)
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
    change(meeting, at: now) { $0.end(at: now) }
  }

  // MARK: Gateways

  /// A gateway says that it is alive.
  ///
  /// - Returns: Whether it has to announce its sessions.
  mutating func gatewayIsAlive(
    _ gateway: GatewayName, run: UInt64, seeing membership: UInt64 = 0,
    at now: ContinuousClock.Instant
  ) -> Bool {
    table.gatewayIsAlive(gateway, run: run, seeing: membership, at: now)
  }

  /// Takes in which meetings belong here.
  mutating func take(_ share: MeetingShare, at now: ContinuousClock.Instant) {
    table.take(share, at: now)
  }

  /// A gateway lost a client that has been silent so long. `nil` for `gateway`: not known which.
  ///
  /// As far as the gateway was silent itself, the client's silence is not believed.
  mutating func detach(
    _ session: SessionID, in meeting: MeetingID, from gateway: GatewayName?, silentFor: Duration,
    at now: ContinuousClock.Instant
  ) {
    let silence = table.credibleSilence(silentFor, from: gateway, at: now)
    table.changeKnown(meeting) {
      $0.detach(session, from: gateway, lastHeard: now - silence, at: now)
    }
  }

  /// A gateway announces sessions that it has.
  ///
  /// - Returns: The sessions that may not come in, and why.
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

  /// Which gateways are alive as the registry has it.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool { table.gateways.vouch(for: gateways) }

  mutating func expect(_ names: Set<GatewayName>, at now: ContinuousClock.Instant) {
    table.expect(names, at: now)
  }

  /// A gateway spoke, without saying which run of it.
  mutating func hear(_ gateway: GatewayName, run: UInt64?, at now: ContinuousClock.Instant) {
    table.hear(gateway, run: run, at: now)
  }

  // MARK: Time

  /// Does everything that is due.
  mutating func advance(to now: ContinuousClock.Instant) { table.advance(to: now) }

  /// Video-tiles stood still so long: nobody's silence meanwhile counts.
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
