import MeetingModel
import Ownership

/// All meetings of one instance of `video-tiles`, and the gateways that report sessions to this
/// instance.
///
/// This is a value type, like ``TileBoard``. It collects effects in the order in which the caller
/// must publish them. The caller must publish the effects even if an operation throws.
/// ``takeEffects()`` returns the effects.
struct TileBoards: DecisionCore {
  let rules: VideoTilesRules

  private let term: UInt64
  private var seed: UInt64
  private var table: OwnerMeetingStates<TileBoard>

  /// Creates a new owner without meetings.
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
    table = OwnerMeetingStates(timing: rules.timing, at: now)
  }

  // MARK: State

  /// Whether boards may lack connected attendees. A snapshot of an incomplete board would report
  /// false removals to a client.
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

  /// Returns the board of a meeting; `nil` if the meeting is unknown.
  func board(of meeting: MeetingID) -> TileBoard? { table[meeting] }

  /// Removes and returns the pending effects, in order.
  mutating func takeEffects() -> [MeetingEffect<TileEffect>] { table.takeEffects() }

  // MARK: Sessions

  /// Creates the meeting if it is unknown, so that its stream begins.
  mutating func open(_ meeting: MeetingID, at now: ContinuousClock.Instant) {
    change(meeting, at: now) { _ in [] }
  }

  /// Adds a session that a client has started or resumed.
  ///
  /// - Parameter run: A number that changes with each start of the gateway. A new number orphans
  ///   the gateway's former sessions.
  mutating func join(
    _ session: AnnouncedSession, in meeting: MeetingID, through gateway: GatewayName,
    run: UInt64, as arrival: SessionArrival, at now: ContinuousClock.Instant
  ) throws(VideoTilesError) {
    hear(gateway, run: run, at: now)
    try change(meeting, at: now) { board throws(VideoTilesError) in
      try board.join(session, through: gateway, as: arrival, at: now)
    }
  }

  /// Calls the board of a meeting for a decision about one of the meeting's sessions.
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

  /// Updates the board of a meeting. Does nothing for an unknown meeting.
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

  /// Ends a meeting, even if it has no sessions.
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

  /// Updates the set of meetings that this instance owns.
  mutating func take(_ share: OwnedMeetings, at now: ContinuousClock.Instant) {
    table.take(share, at: now)
  }

  /// Records that a gateway lost a client that has been silent for `silentFor`.
  ///
  /// Time in which the gateway itself was silent does not count as the client's silence.
  ///
  /// - Parameter gateway: The gateway that lost the client; `nil` if unknown.
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
  /// - Returns: The rejected sessions with the reasons.
  mutating func announce(
    _ part: SessionAnnouncementPage<AnnouncedSession>, at now: ContinuousClock.Instant
  ) -> [RejectedSessionAnnouncement<VideoTilesError>] {
    var refused: [RejectedSessionAnnouncement<VideoTilesError>] = []
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

  /// Returns whether this instance receives messages from all `gateways`, and all `gateways` see
  /// the same owners as this instance.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool { table.gateways.vouch(for: gateways) }

  /// Sets the gateways that are live according to the registry.
  ///
  /// Recovery waits for these gateways, and for all gateways that have sent a message.
  mutating func expect(_ names: Set<GatewayName>, at now: ContinuousClock.Instant) {
    table.expect(names, at: now)
  }

  /// Records that a gateway is alive.
  ///
  /// - Parameter run: See ``join(_:in:through:run:as:at:)``; `nil` if the gateway did not send it.
  mutating func hear(_ gateway: GatewayName, run: UInt64?, at now: ContinuousClock.Instant) {
    table.hear(gateway, run: run, at: now)
  }

  // MARK: Time

  /// Carries out everything that is due.
  mutating func advance(to now: ContinuousClock.Instant) { table.advance(to: now) }

  /// Subtracts the duration of a stall of this process from every measured silence.
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
