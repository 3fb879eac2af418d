import MeetingModel
import OwnerTestSupport
import Ownership
import Wire

@testable import Presence

/// The simulated presence service. It uses the production core, and handles requests as
/// `PresenceService` does, without sockets.
final class SimulatedPresence {
  /// The part of an event that a gateway reads.
  struct Event {
    let meeting: MeetingID
    let position: Position
    var joined: [ParticipantID] = []
    var departed: [ParticipantID] = []
    var ended: [(session: SessionID, status: Status)] = []
    var meetingEnded: Status?
  }

  /// A position in the stream of a meeting.
  struct Position: Hashable {
    let term: UInt64
    let sequence: UInt64
  }

  /// An answer that waits for recovery to end.
  private struct Held {
    let until: ContinuousClock.Instant
    let answer: () -> Void
    let giveUp: () -> Void
  }

  let number: Int
  var publish: (Event) -> Void = { _ in }
  private(set) var term: UInt64 = 1
  private var meetings: PresenceMeetings
  private var now: ContinuousClock.Instant
  private var streams: [MeetingID: [Event]] = [:]
  private var held: [Held] = []
  private var joins = LatestCalls<SessionID>()

  static let capacity = 4
  private static let rules = PresenceRules(maxAttendees: capacity)

  init(_ number: Int, at now: ContinuousClock.Instant) {
    (self.number, self.now) = (number, now)
    meetings = PresenceMeetings(rules: Self.rules, at: now)
  }

  /// Kills and restarts presence. Presence forgets everything.
  func restart(expecting gateways: Set<GatewayName>) {
    term += 1
    meetings = PresenceMeetings(rules: Self.rules, at: now)
    (streams, held, joins) = ([:], [], LatestCalls())
    decide { $0.expect(gateways, at: now) }
  }

  func advance(to now: ContinuousClock.Instant) {
    self.now = now
    decide { $0.advance(to: now) }
    for late in held where late.until <= now { late.giveUp() }
    held.removeAll { $0.until <= now }
  }

  // MARK: State

  var isRecovering: Bool { meetings.isRecovering }

  func entries(of meeting: MeetingID) -> [ParticipantID] {
    meetings.roster(of: meeting)?.entries.map(\.identity.id) ?? []
  }

  func attendeeCount(of meeting: MeetingID) -> Int {
    meetings.roster(of: meeting)?.attendeeCount ?? 0
  }

  /// Returns the state for a gateway that lacks events; `nil` during recovery.
  func snapshot(of meeting: MeetingID) -> (Position, [ParticipantID])? {
    if meetings.isRecovering { return nil }
    decide { $0.open(meeting, at: now) }
    return (position(of: meeting), entries(of: meeting))
  }

  /// Returns the events after a position; `nil` if the gateway needs a snapshot instead of the
  /// events.
  func events(of meeting: MeetingID, after position: Position) -> [Event]? {
    guard position.term == term else { return nil }
    return Array(streams[meeting, default: []].dropFirst(Int(position.sequence)))
  }

  func position(of meeting: MeetingID) -> Position {
    Position(term: term, sequence: UInt64(streams[meeting, default: []].count))
  }

  // MARK: Requests

  func join(
    _ record: V1.GatewaySession, _ gateway: GatewayName, run: UInt64, isResume: Bool,
    _ reply: @escaping (Status?) -> Void
  ) {
    attempt(reply) {
      let (meeting, session) = try AnnouncedSession.read(record, joinedAtMs: 1_000)
      try decide {
        _ = try $0.join(
          session, in: meeting, through: gateway, run: run, as: isResume ? .resume : .start,
          at: now)
      }
      let number = joins.begin(session.id)
      whenSettled { [unowned self] status in
        _ = joins.end(number, of: session.id)
        attempt(reply) {
          try meetings.roster(of: meeting)?.checkIsLetIn(session.id)
          reply(status)
        }
      } ifGivenUp: { [unowned self] in
        guard joins.end(number, of: session.id) else { return }
        decide { $0.detach(session.id, in: meeting, from: gateway, silentFor: .zero, at: now) }
      }
    }
  }

  func promote(
    _ record: V1.GatewaySession, _ gateway: GatewayName, run: UInt64,
    _ reply: @escaping (Status?) -> Void
  ) {
    attempt(reply) {
      let (primary, session) = try AnnouncedSession.read(record, joinedAtMs: 1_000)
      try decide { try $0.promote(session, in: primary, through: gateway, run: run, at: now) }
      whenSettled { [unowned self] status in
        attempt(reply) {
          try meetings.roster(of: primary)?.checkIsPromoted(session.id, as: session.participant)
          reply(status)
        }
      } ifGivenUp: {
      }
    }
  }

  func demote(
    _ session: SessionID, in primary: MeetingID, by caller: GatewayName, isAnyGateways: Bool
  ) {
    let gateway = isAnyGateways ? nil : caller
    decide { $0.demote(session, in: primary, by: gateway, as: .demoted, at: now) }
  }

  func leave(_ session: SessionID, in meeting: MeetingID) {
    decide { $0.leave(session, in: meeting, at: now) }
  }

  func detach(_ session: SessionID, in meeting: MeetingID, by caller: GatewayName) {
    decide {
      $0.detach(session, in: meeting, from: caller, silentFor: .seconds(1), at: now)
    }
  }

  func endAttendee(_ attendee: AttendeeID, in meeting: MeetingID) {
    decide { $0.endAttendee(attendee, in: meeting, at: now) }
  }

  func endMeeting(_ meeting: MeetingID) {
    decide { $0.endMeeting(meeting, with: .meetingDeleted, at: now) }
  }

  /// - Returns: Whether the gateway has to announce its sessions.
  func gatewayIsAlive(_ gateway: GatewayName, run: UInt64) -> Bool {
    decide { $0.gatewayIsAlive(gateway, run: run, at: now) }
  }

  /// - Returns: The refused sessions and the reasons.
  func announce(
    _ records: [V1.GatewaySession], by gateway: GatewayName, run: UInt64, isLast: Bool
  ) -> [(session: SessionID, status: Status)] {
    let part = SessionAnnouncementPage(
      reading: records, by: gateway, run: run, isLast: isLast, id: \.sessionID
    ) { try AnnouncedSession.read($0, joinedAtMs: 1_000) }
    return decide { $0.announce(part, at: now) }.map { ($0.id, $0.reason.status) }
  }

  private func attempt(_ reply: (Status?) -> Void, _ body: () throws -> Void) {
    do { try body() } catch {
      reply((error as? PresenceError)?.status ?? Status(.internalError, "\(error)"))
    }
  }

  private func whenSettled(
    _ reply: @escaping (Status?) -> Void, ifGivenUp giveUp: @escaping () -> Void
  ) {
    guard meetings.isRecovering else { return reply(nil) }
    held.append(Held(until: now + .seconds(2), answer: { reply(nil) }, giveUp: giveUp))
  }

  // MARK: Effects

  @discardableResult
  private func decide<Answer>(_ body: (inout PresenceMeetings) throws -> Answer) rethrows -> Answer
  {
    defer {
      for effect in meetings.takeEffects() { carryOut(effect) }
      if !meetings.isRecovering, !held.isEmpty {
        let waiting = held
        held = []
        for call in waiting { call.answer() }
      }
    }
    return try body(&meetings)
  }

  private func carryOut(_ effect: MeetingEffect<RosterEffect>) {
    switch effect {
    case .decided(.publish(let event), let meeting):
      let sequence = position(of: meeting).sequence + 1
      let seen = read(event, of: meeting, at: Position(term: term, sequence: sequence))
      streams[meeting, default: []].append(seen)
      publish(seen)
    case .decided(.publishLevels, _), .decided(.demote, _): break
    case .forget(let meeting): streams[meeting] = nil
    }
  }

  private func read(
    _ event: RosterEvent, of meeting: MeetingID, at position: Position
  ) -> Event {
    var seen = Event(meeting: meeting, position: position)
    // Presence records some updates that no client receives.
    for case .presence(let changes) in event.updates where event.onlyFor == nil {
      for change in changes {
        switch change {
        case .joined(let entry): seen.joined.append(entry.identity.id)
        case .departed(let identity, _): seen.departed.append(identity.id)
        }
      }
    }
    seen.ended = event.ended.map { ($0.session, $0.status) }
    seen.meetingEnded = event.meetingEnded
    return seen
  }
}
