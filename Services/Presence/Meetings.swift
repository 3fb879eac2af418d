import MeetingModel
import Ownership

/// All meetings of one presence instance, and the gateways that speak for their clients.
///
/// A value like ``Roster``. What must be published gathers in order, also when an operation throws;
/// ``takeEffects()`` hands it over.
struct Meetings: OwnedCore {
  let rules: PresenceRules
  private var table: MeetingTable<Roster>

  /// A new owner, which knows nothing yet.
  init(rules: PresenceRules, at now: ContinuousClock.Instant) {
    self.rules = rules
    table = MeetingTable(timing: rules.timing, at: now)
  }

  // MARK: What it knows

  /// Whether rosters may lack somebody who is connected: a snapshot would tell false departures.
  var isRecovering: Bool { table.isRecovering }
  func isRecovering(_ meeting: MeetingID) -> Bool { table.isRecovering(meeting) }
  func serves(_ meeting: MeetingID) -> Bool { table.serves(meeting) }

  var nextDeadline: ContinuousClock.Instant? { table.nextDeadline }

  var meetingCount: Int { table.count }

  /// Attendees in all meetings; content shares do not count.
  var attendeeCount: Int { table.all.reduce(0) { $0 + $1.attendeeCount } }

  var gatewayCount: Int { table.gateways.count }

  /// The roster of a meeting, if it is known.
  func roster(of meeting: MeetingID) -> Roster? { table[meeting] }

  /// What must be done, in order. It is handed over once.
  mutating func takeEffects() -> [MeetingEffect<RosterEffect>] { table.takeEffects() }

  // MARK: Sessions

  /// Makes the meeting known, so that its stream has a beginning.
  mutating func open(_ meeting: MeetingID, at now: ContinuousClock.Instant) {
    change(meeting, at: now) { _ in [] }
  }

  /// A client opened or resumed a session.
  ///
  /// - Parameter run: Differs after each start of the gateway. A new one orphans whom the gateway
  ///   had before.
  /// - Returns: Whether the session was still in the roster, so that no join was published.
  mutating func join(
    _ session: AnnouncedSession, in meeting: MeetingID, through gateway: GatewayName,
    run: UInt64, as arrival: Arrival, at now: ContinuousClock.Instant
  ) throws(PresenceError) -> Bool {
    hear(gateway, run: run, at: now)
    return try admit(session, in: meeting, through: gateway, as: arrival, at: now)
  }

  /// A replica's session acts in this meeting from now on, until any disconnect.
  ///
  /// - Parameter run: As for ``join(_:in:through:run:as:at:)``; `nil` if the gateway did not say.
  mutating func promote(
    _ session: AnnouncedSession, in meeting: MeetingID, through gateway: GatewayName,
    run: UInt64? = nil, at now: ContinuousClock.Instant
  ) throws(PresenceError) {
    hear(gateway, run: run, at: now)
    _ = try admit(session, in: meeting, through: gateway, as: .promotion, at: now)
  }

  private mutating func admit(
    _ session: AnnouncedSession, in meeting: MeetingID, through gateway: GatewayName,
    as arrival: Arrival, at now: ContinuousClock.Instant
  ) throws(PresenceError) -> Bool {
    var wasPresent = false
    try change(meeting, at: now) { roster throws(PresenceError) in
      let outcome = try roster.join(session, through: gateway, as: arrival, at: now)
      wasPresent = outcome.wasPresent
      return outcome.effects
    }
    return wasPresent
  }

  /// The client asked to leave. Nothing happens if the session is not there.
  mutating func leave(
    _ session: SessionID, in meeting: MeetingID, at now: ContinuousClock.Instant
  ) {
    changeKnown(meeting, at: now) { $0.leave(session, as: .client, at: now) }
  }

  /// A promoted session goes back to its replica. Nothing happens if it is not there, or was
  /// promoted through another gateway; `nil` stands for any.
  mutating func demote(
    _ session: SessionID, in meeting: MeetingID, by gateway: GatewayName?,
    as departure: PresenceReason, at now: ContinuousClock.Instant
  ) {
    changeKnown(meeting, at: now) { $0.demote(session, by: gateway, as: departure, at: now) }
  }

  /// A gateway lost a client that has been silent so long. `nil` for `gateway`: not known which.
  ///
  /// As far as the gateway was silent itself, the client's silence is not believed.
  mutating func detach(
    _ session: SessionID, in meeting: MeetingID, from gateway: GatewayName?, silentFor: Duration,
    at now: ContinuousClock.Instant
  ) {
    let silence = table.credibleSilence(silentFor, from: gateway, at: now)
    changeKnown(meeting, at: now) {
      $0.detach(session, from: gateway, lastHeard: now - silence, at: now)
    }
  }

  /// A client mutes or unmutes itself.
  mutating func setMuted(
    _ session: SessionID, in meeting: MeetingID, to isMuted: Bool, at now: ContinuousClock.Instant
  ) throws(PresenceError) {
    guard table[meeting] != nil else { throw isRecovering ? .recovering : .unknownSession }
    try change(meeting, at: now) { roster throws(PresenceError) in
      try roster.setMuted(session, to: isMuted)
    }
  }

  // MARK: Decisions of the control plane

  /// An operator mutes an attendee, or lifts that.
  mutating func setMutedByOperator(
    _ attendee: AttendeeID, in meeting: MeetingID, to isMuted: Bool,
    at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.setMutedByOperator(attendee, to: isMuted, at: now) }
  }

  /// What an attendee may do has changed.
  mutating func setCapabilities(
    _ attendee: AttendeeID, in meeting: MeetingID, to capabilities: AttendeeCapabilities,
    at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.setCapabilities(attendee, to: capabilities, at: now) }
  }

  /// An operator sends an attendee away, or allows it to come back.
  mutating func setBarred(
    _ attendee: AttendeeID, in meeting: MeetingID, to isBarred: Bool,
    at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.setBarred(attendee, to: isBarred, at: now) }
  }

  /// An operator locks a meeting, or opens it.
  mutating func setLocked(
    _ meeting: MeetingID, to isLocked: Bool, at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { roster in
      roster.setLocked(to: isLocked, at: now)
      return []
    }
  }

  /// The attendee is deleted.
  mutating func endAttendee(
    _ attendee: AttendeeID, in meeting: MeetingID, at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.endAttendee(attendee, at: now) }
  }

  /// The promotion as this attendee is over.
  ///
  /// - Returns: Whether somebody was promoted as it.
  mutating func demote(
    _ attendee: AttendeeID, in meeting: MeetingID, at now: ContinuousClock.Instant
  ) throws(PresenceError) -> Bool {
    guard table[meeting] != nil else {
      if isRecovering { throw .recovering }
      return false
    }
    var wasPromoted = false
    try change(meeting, at: now) { roster throws(PresenceError) in
      let outcome = try roster.demote(attendee, at: now)
      wasPromoted = outcome.wasPromoted
      return outcome.effects
    }
    return wasPromoted
  }

  /// The meeting is over, whether anybody is in it or not.
  mutating func endMeeting(
    _ meeting: MeetingID, with status: Status, at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.endMeeting(status, at: now) }
  }

  // MARK: Media

  /// Media measured some participants.
  mutating func reportLevels(
    _ reports: [LevelReport], in meeting: MeetingID, at now: ContinuousClock.Instant
  ) {
    changeKnown(meeting, at: now) { $0.reportLevels(reports, at: now) }
  }

  // MARK: Gateways

  /// A gateway says that it is alive.
  ///
  /// - Returns: Whether it has to announce its sessions.
  mutating func gatewayIsAlive(
    _ gateway: GatewayName, run: UInt64, seeing membership: UInt64 = 0,
    at now: ContinuousClock.Instant
  ) -> Bool {
    act(at: now) { $0.gatewayIsAlive(gateway, run: run, seeing: membership, at: now) }
  }

  /// Takes in which meetings belong here.
  mutating func take(_ share: MeetingShare, at now: ContinuousClock.Instant) {
    act(at: now) { $0.take(share, at: now) }
  }

  /// A gateway announces sessions that it has.
  ///
  /// - Returns: The sessions that may not come in, and why; the gateway ends them.
  mutating func announce(
    _ part: AnnouncementPage<AnnouncedSession>, at now: ContinuousClock.Instant
  ) -> [RefusedSession<PresenceError>] {
    var refused: [RefusedSession<PresenceError>] = []
    let rules = rules
    act(at: now) {
      $0.announce(part, at: now) { table, meeting, sessions in
        table.change(meeting, else: { Roster(rules: rules, isRecovering: $0, at: now) }) {
          let outcome = $0.announce(sessions, through: part.gateway, at: now)
          refused += outcome.refused
          return outcome.effects
        }
      }
    }
    return refused
  }

  /// Which gateways are alive as the registry has it: recovery waits for these and for all that
  /// were heard.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool { table.gateways.vouch(for: gateways) }

  mutating func expect(_ names: Set<GatewayName>, at now: ContinuousClock.Instant) {
    act(at: now) { $0.expect(names, at: now) }
  }

  private mutating func hear(
    _ gateway: GatewayName, run: UInt64?, at now: ContinuousClock.Instant
  ) {
    act(at: now) { $0.hear(gateway, run: run, at: now) }
  }

  // MARK: Time

  /// Does everything that is due.
  mutating func advance(to now: ContinuousClock.Instant) {
    act(at: now) { $0.advance(to: now) }
  }

  /// Presence stood still so long: nobody's silence meanwhile counts.
  mutating func excuseSilence(of stall: Duration) { table.excuseSilence(of: stall) }

  // MARK: Changing rosters

  private mutating func change<Failure: Error>(
    _ meeting: MeetingID, at now: ContinuousClock.Instant,
    _ body: (inout Roster) throws(Failure) -> [RosterEffect]
  ) throws(Failure) {
    let rules = rules
    try act(at: now) { table throws(Failure) in
      try table.change(
        meeting, else: { Roster(rules: rules, isRecovering: $0, at: now) }, body)
    }
  }

  private mutating func changeKnown(
    _ meeting: MeetingID, at now: ContinuousClock.Instant,
    _ body: (inout Roster) -> [RosterEffect]
  ) {
    act(at: now) { $0.changeKnown(meeting, body) }
  }

  /// Changes meetings, and does in primaries what follows from that in replicas: a demotion is done
  /// here if the primary is; otherwise its gateway asks the primary's owner.
  private mutating func act<Answer, Failure: Error>(
    at now: ContinuousClock.Instant,
    _ body: (inout MeetingTable<Roster>) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    defer {
      while case let demotions = table.takeEffects(where: \.isDemotion), !demotions.isEmpty {
        for case .decided(.demote(let session, let primary, let departure), _) in demotions {
          table.changeKnown(primary) { $0.demote(session, by: nil, as: departure, at: now) }
        }
      }
    }
    return try body(&table)
  }
}

extension MeetingEffect<RosterEffect> {
  /// Whether it is to be done in another meeting.
  fileprivate var isDemotion: Bool {
    if case .decided(.demote, _) = self { true } else { false }
  }
}
