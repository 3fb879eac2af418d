import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import Presence

/// Tests of two gateways that report the same session. The session belongs to the gateway that the
/// client reached last.
@Suite struct RosterGatewayTests {
  private let clock = Clock()

  private func ada(_ device: UInt8 = 0, openedAtMs: UInt64) -> AnnouncedSession {
    var session = Person.ada.description(device)
    session.openedAtMs = openedAtMs
    return session
  }

  @Test(arguments: [SessionArrival.start, .resume])
  func `a delayed join through a former gateway is refused`(
    arrival: SessionArrival
  ) throws {
    var roster = Roster.settled(clock)
    try roster.join(ada(openedAtMs: 2_000), through: .b, clock)
    #expect(throws: PresenceError.sessionEnded(.joinedElsewhere)) {
      try roster.join(ada(openedAtMs: 1_000), through: .a, clock, as: arrival)
    }
    #expect(isKept(by: .b, in: &roster))
  }

  @Test(arguments: [SessionArrival.start, .resume])
  func `a client can reconnect although the clock was set back an hour`(arrival: SessionArrival)
    throws
  {
    var roster = Roster.settled(clock)
    try roster.join(ada(openedAtMs: 3_700_000), through: .a, clock)
    try roster.join(ada(openedAtMs: 100_000), through: .b, clock, as: arrival)
    #expect(isKept(by: .b, in: &roster))
    // Another of Ada's devices joins.
    try roster.join(ada(1, openedAtMs: 10_000), through: .a, clock)
    #expect(roster.attendeeCount == 1)
  }

  @Test func `a former gateway's announcement does not move the session to that gateway`() throws {
    var roster = Roster.recovering(clock)
    for (gateway, opened) in [(GatewayName.a, UInt64(1_000)), (.b, 2_000), (.a, 1_000)] {
      let outcome = roster.announce(
        [ada(openedAtMs: opened)], through: gateway, at: clock[.zero])
      #expect(outcome.refused.isEmpty)
    }
    _ = roster.endRecovery(at: clock[.zero])
    #expect(isKept(by: .b, in: &roster))
  }

  @Test func `an older session does not replace a newer session`() throws {
    var roster = Roster.settled(clock)
    try roster.join(ada(1, openedAtMs: 2_000), through: .b, clock)
    #expect(throws: PresenceError.sessionEnded(.joinedElsewhere)) {
      try roster.join(ada(0, openedAtMs: 1_000), through: .a, clock)
    }
    try roster.join(ada(2, openedAtMs: 3_000), through: .a, clock)
    #expect(roster.attendeeCount == 1)
  }

  @Test func `an older promotion does not replace a newer promotion`() throws {
    var roster = Roster.settled(clock)
    try roster.join(ada(1, openedAtMs: 2_000), through: .b, clock, as: .promotion)
    #expect(throws: PresenceError.sessionEnded(.joinedElsewhere)) {
      try roster.join(ada(0, openedAtMs: 1_000), through: .a, clock, as: .promotion)
    }
    try roster.join(ada(2, openedAtMs: 3_000), through: .a, clock, as: .promotion)
    #expect(roster.attendeeCount == 1)
  }

  @Test func `an announced session of a deleted attendee is refused with the deletion status`() {
    var roster = Roster.recovering(clock)
    _ = roster.endAttendee(Person.ada.attendee, at: clock[.zero])
    let outcome = roster.announce(
      [Person.ada.description()], through: .a, at: clock[.zero])
    #expect(outcome.refused.map(\.reason) == [.sessionEnded(.attendeeDeleted)])
  }

  @Test
  func `a join is refused if another session replaced the session while the join waited`() throws {
    var roster = Roster.recovering(clock)
    try roster.join(Person.ada.description(0), clock)
    try roster.checkIsLetIn(Person.ada.session(0))
    try roster.join(Person.ada.description(1), clock)
    #expect(throws: PresenceError.sessionEnded(.joinedElsewhere)) {
      try roster.checkIsLetIn(Person.ada.session(0))
    }
    _ = roster.endMeeting(.meetingDeleted, at: clock[.zero])
    #expect(throws: PresenceError.meetingEnded(.meetingDeleted)) {
      try roster.checkIsLetIn(Person.ada.session(1))
    }
  }

  @Test func `a promotion is refused if the promotion ends while the request waits`() throws {
    var roster = Roster.recovering(clock)
    try roster.join(Person.ada.description(0), clock, as: .promotion)
    let participant = Person.ada.participant
    try roster.checkIsPromoted(Person.ada.session(0), as: participant)
    try roster.join(Person.ada.description(1), clock)
    #expect(throws: PresenceError.sessionEnded(.joinedElsewhere)) {
      try roster.checkIsPromoted(Person.ada.session(0), as: participant)
    }
  }

  /// Returns whether Ada's session belongs to this gateway. If so, a loss that the other gateway
  /// reports has no effect.
  private func isKept(by gateway: GatewayName, in roster: inout Roster) -> Bool {
    let other = gateway == .a ? GatewayName.b : .a
    let lost = roster.detach(
      Person.ada.session(), from: other, lastHeard: clock[.zero], at: clock[.seconds(60)])
    return lost.isEmpty && roster.attendeeCount == 1
  }
}
