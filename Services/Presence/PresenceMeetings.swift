import MeetingModel
import Ownership

/// All meetings of one instance of `presence`, and the gateways that report sessions to this
/// instance.
///
/// This is a value type, like ``Roster``. It collects effects in the order in which the caller must
/// publish them. The caller must publish the effects even if an operation throws. ``takeEffects()``
/// returns the effects.
struct PresenceMeetings: DecisionCore {
  let rules: PresenceRules
  private var table: OwnerMeetingStates<Roster>

  /// The knocks at locked meetings. A meeting with knocks need not have a roster.
  private var knocks: Knocks

  /// Creates a new owner without meetings.
  init(rules: PresenceRules, at now: ContinuousClock.Instant) {
    self.rules = rules
    table = OwnerMeetingStates(timing: rules.timing, at: now)
    knocks = Knocks(rules: rules.knocks, at: now)
  }

  // MARK: State

  /// Whether rosters may lack connected attendees. A snapshot of an incomplete roster would report
  /// false departures to a client.
  var isRecovering: Bool { table.isRecovering }
  func isRecovering(_ meeting: MeetingID) -> Bool { table.isRecovering(meeting) }
  func serves(_ meeting: MeetingID) -> Bool { table.serves(meeting) }

  var nextDeadline: ContinuousClock.Instant? { table.nextDeadline }

  var meetingCount: Int { table.count }

  /// The number of attendees in all meetings, not counting content shares.
  var attendeeCount: Int { table.all.reduce(0) { $0 + $1.attendeeCount } }

  var gatewayCount: Int { table.gateways.count }

  /// Returns the roster of a meeting; `nil` if the meeting is unknown.
  func roster(of meeting: MeetingID) -> Roster? { table[meeting] }

  /// Removes and returns the pending effects, in order.
  mutating func takeEffects() -> [MeetingEffect<RosterEffect>] { table.takeEffects() }

  // MARK: Sessions

  /// Creates the meeting if it is unknown, so that its stream has a beginning.
  mutating func open(_ meeting: MeetingID, at now: ContinuousClock.Instant) {
    change(meeting, at: now) { _ in [] }
  }

  /// Adds a session that a client has started or resumed.
  ///
  /// - Parameter run: A number that changes with each start of the gateway. A new number orphans
  ///   the gateway's former sessions.
  /// - Returns: Whether the session was still in the roster, so that `presence` published no join.
  mutating func join(
    _ session: AnnouncedSession, in meeting: MeetingID, through gateway: GatewayName,
    run: UInt64, as arrival: SessionArrival, at now: ContinuousClock.Instant
  ) throws(PresenceError) -> Bool {
    hear(gateway, run: run, at: now)
    return try admit(session, in: meeting, through: gateway, as: arrival, at: now)
  }

  /// Promotes a replica's session into this meeting, until the session disconnects.
  ///
  /// - Parameter run: See ``join(_:in:through:run:as:at:)``; `nil` if the gateway did not send it.
  mutating func promote(
    _ session: AnnouncedSession, in meeting: MeetingID, through gateway: GatewayName,
    run: UInt64? = nil, at now: ContinuousClock.Instant
  ) throws(PresenceError) {
    hear(gateway, run: run, at: now)
    _ = try admit(session, in: meeting, through: gateway, as: .promotion, at: now)
  }

  private mutating func admit(
    _ session: AnnouncedSession, in meeting: MeetingID, through gateway: GatewayName,
    as arrival: SessionArrival, at now: ContinuousClock.Instant
  ) throws(PresenceError) -> Bool {
    var wasPresent = false
    try change(meeting, at: now) { roster throws(PresenceError) in
      let outcome = try roster.join(session, through: gateway, as: arrival, at: now)
      wasPresent = outcome.wasPresent
      return outcome.effects
    }
    return wasPresent
  }

  /// Removes a session after its client left. Does nothing if the session is not present.
  mutating func leave(
    _ session: SessionID, in meeting: MeetingID, at now: ContinuousClock.Instant
  ) {
    changeKnown(meeting, at: now) { $0.leave(session, as: .client, at: now) }
  }

  /// Ends a session's promotion, so that the session acts only in its replica.
  ///
  /// Does nothing if the session is not present, or was promoted through another gateway. `nil` for
  /// `gateway` matches any gateway.
  mutating func demote(
    _ session: SessionID, in meeting: MeetingID, by gateway: GatewayName?,
    as departure: PresenceReason, at now: ContinuousClock.Instant
  ) {
    changeKnown(meeting, at: now) { $0.demote(session, by: gateway, as: departure, at: now) }
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
    changeKnown(meeting, at: now) {
      $0.detach(session, from: gateway, lastHeard: now - silence, at: now)
    }
  }

  /// Mutes or unmutes a client at the client's own request.
  mutating func setMuted(
    _ session: SessionID, in meeting: MeetingID, to isMuted: Bool, at now: ContinuousClock.Instant
  ) throws(PresenceError) {
    guard table[meeting] != nil else { throw isRecovering ? .recovering : .unknownSession }
    try change(meeting, at: now) { roster throws(PresenceError) in
      try roster.setMuted(session, to: isMuted)
    }
  }

  // MARK: Decisions of the control plane

  /// Mutes an attendee on a host's request. The attendee's client may unmute itself.
  mutating func mute(
    _ attendee: AttendeeID, in meeting: MeetingID, at now: ContinuousClock.Instant
  ) throws(PresenceError) {
    guard table[meeting] != nil else {
      if isRecovering { throw .recovering }
      return
    }
    try change(meeting, at: now) { roster throws(PresenceError) in try roster.mute(attendee) }
  }

  /// Mutes an attendee at an operator's request, or ends an operator's mute.
  mutating func setMutedByOperator(
    _ attendee: AttendeeID, in meeting: MeetingID, to isMuted: Bool,
    at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.setMutedByOperator(attendee, to: isMuted, at: now) }
  }

  /// Changes the capabilities of an attendee.
  mutating func setCapabilities(
    _ attendee: AttendeeID, in meeting: MeetingID, to capabilities: AttendeeCapabilities,
    at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.setCapabilities(attendee, to: capabilities, at: now) }
  }

  /// Bars an attendee at a host's or an operator's request, or readmits the attendee.
  mutating func setBarred(
    _ attendee: AttendeeID, in meeting: MeetingID, to isBarred: Bool,
    at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.setBarred(attendee, to: isBarred, at: now) }
  }

  /// Locks or unlocks a meeting at a host's or an operator's request.
  mutating func setLocked(
    _ meeting: MeetingID, to isLocked: Bool, at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { roster in
      roster.setLocked(to: isLocked, at: now)
      return []
    }
  }

  /// Ends the sessions of a deleted attendee.
  mutating func endAttendee(
    _ attendee: AttendeeID, in meeting: MeetingID, at now: ContinuousClock.Instant
  ) {
    change(meeting, at: now) { $0.endAttendee(attendee, at: now) }
  }

  /// Ends the promotion in which a session acts as this attendee.
  ///
  /// - Returns: Whether a session was promoted as this attendee.
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

  /// Ends a meeting, even if the meeting has no attendees.
  mutating func endMeeting(
    _ meeting: MeetingID, with status: Status, at now: ContinuousClock.Instant
  ) {
    knocks.end(meeting)
    change(meeting, at: now) { $0.endMeeting(status, at: now) }
  }

  // MARK: Knocks

  /// Adds a knock at a locked meeting, or returns the state of a known knock.
  ///
  /// - Throws: The errors of ``Knocks/ask(_:at:now:)``.
  mutating func knock(
    _ request: Knocks.Request, at meeting: MeetingID, now: ContinuousClock.Instant
  ) throws(PresenceError) -> KnockState {
    try knocks.ask(request, at: meeting, now: now)
  }

  /// Records that a person who knocked enters the meeting.
  ///
  /// - Throws: The error of ``Knocks/take(_:as:at:now:)``.
  mutating func takeKnock(
    _ id: KnockID, as entry: GUID, at meeting: MeetingID, now: ContinuousClock.Instant
  ) throws(PresenceError) {
    try knocks.take(id, as: entry, at: meeting, now: now)
  }

  /// Ends an entry for which the gateway has created no attendee.
  mutating func returnKnock(
    _ id: KnockID, as entry: GUID, at meeting: MeetingID, now: ContinuousClock.Instant
  ) {
    knocks.putBack(id, as: entry, at: meeting, now: now)
  }

  /// Returns the waiting knocks for the page of a host, oldest first. Records that a host is
  /// present.
  mutating func listKnocks(
    at meeting: MeetingID, now: ContinuousClock.Instant
  ) -> [Knocks.Knock] {
    knocks.list(meeting, at: now)
  }

  /// Admits or denies a waiting person.
  ///
  /// - Throws: The errors of ``Knocks/answer(_:at:admits:now:)``.
  mutating func answerKnock(
    _ id: KnockID, at meeting: MeetingID, admits: Bool, now: ContinuousClock.Instant
  ) throws(PresenceError) {
    try knocks.answer(id, at: meeting, admits: admits, now: now)
  }

  /// Returns whether the page of a host has asked for knocks within the last 15 s.
  func hasHost(in meeting: MeetingID, at now: ContinuousClock.Instant) -> Bool {
    knocks.hasHost(meeting, at: now)
  }

  // MARK: Media

  /// Processes the audio levels that `media` measured.
  mutating func reportLevels(
    _ reports: [LevelReport], in meeting: MeetingID, at now: ContinuousClock.Instant
  ) {
    changeKnown(meeting, at: now) { $0.reportLevels(reports, at: now) }
  }

  // MARK: Gateways

  /// Processes a gateway's heartbeat.
  ///
  /// - Returns: Whether the gateway must announce its sessions.
  mutating func gatewayIsAlive(
    _ gateway: GatewayName, run: UInt64, seeing membership: UInt64 = 0,
    at now: ContinuousClock.Instant
  ) -> Bool {
    act(at: now) { $0.gatewayIsAlive(gateway, run: run, seeing: membership, at: now) }
  }

  /// Updates the set of meetings that this instance owns.
  mutating func take(_ share: OwnedMeetings, at now: ContinuousClock.Instant) {
    if share != table.share, share.mayGain(since: table.share) { knocks.gainMeetings(at: now) }
    act(at: now) { $0.take(share, at: now) }
  }

  /// Adds the sessions that a gateway announces.
  ///
  /// - Returns: The rejected sessions with the reasons. The gateway ends these sessions.
  mutating func announce(
    _ part: SessionAnnouncementPage<AnnouncedSession>, at now: ContinuousClock.Instant
  ) -> [RejectedSessionAnnouncement<PresenceError>] {
    var refused: [RejectedSessionAnnouncement<PresenceError>] = []
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

  /// Returns whether this instance receives messages from all `gateways`, and all `gateways` see
  /// the same owners as this instance.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool { table.gateways.vouch(for: gateways) }

  /// Sets the gateways that are live according to the registry.
  ///
  /// Recovery waits for these gateways, and for all gateways that have sent a message.
  mutating func expect(_ names: Set<GatewayName>, at now: ContinuousClock.Instant) {
    act(at: now) { $0.expect(names, at: now) }
  }

  private mutating func hear(
    _ gateway: GatewayName, run: UInt64?, at now: ContinuousClock.Instant
  ) {
    act(at: now) { $0.hear(gateway, run: run, at: now) }
  }

  // MARK: Time

  /// Carries out everything that is due.
  mutating func advance(to now: ContinuousClock.Instant) {
    act(at: now) { $0.advance(to: now) }
  }

  /// Subtracts the duration of a stall of this process from every measured silence.
  mutating func excuseSilence(of stall: Duration) {
    table.excuseSilence(of: stall)
    knocks.excuseSilence(of: stall)
  }

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

  /// Changes meetings with `body`. If the change disconnects a promoted session of a replica, the
  /// method also ends the session's promotion in the primary meeting.
  ///
  /// If another instance owns the primary meeting, the session's gateway reports the end of the
  /// promotion to that instance.
  private mutating func act<Answer, Failure: Error>(
    at now: ContinuousClock.Instant,
    _ body: (inout OwnerMeetingStates<Roster>) throws(Failure) -> Answer
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
  /// Whether the effect ends a promotion in the primary meeting.
  fileprivate var isDemotion: Bool {
    if case .decided(.demote, _) = self { true } else { false }
  }
}
