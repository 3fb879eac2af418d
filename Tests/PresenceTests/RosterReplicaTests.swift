import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import Presence

@Suite struct RosterReplicaTests {
  let clock = Clock()
  let replica = RosterKind.replica(of: .planning)

  @Test func `the attendees of a replica are not visible to each other`() throws {
    var roster = Roster.settled(clock)
    let ada = try roster.join(Person.ada.description(kind: replica), clock)
    #expect(ada.effects == [.recorded(.joined(Person.ada.entry()))])
    let grace = try roster.join(Person.grace.description(kind: replica), clock)
    #expect(grace.effects == [.recorded(.joined(Person.grace.entry()))])
    #expect(roster.entries.isEmpty)
    #expect(roster.everybody == [Person.ada.entry(), Person.grace.entry()])
    #expect(roster.attendeeCount == 2)
    let report = LevelReport(participant: Person.ada.participant, volume: .high, signal: .high)
    #expect(roster.reportLevels([report], at: clock[.zero]).isEmpty)
  }

  @Test func `a departure or disconnect in a replica demotes the attendee`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(kind: replica), clock)
    try roster.join(Person.grace.description(kind: replica), clock)
    let left = roster.leave(Person.ada.session(), as: .client, at: clock[.zero])
    #expect(
      left == [
        .recorded(.departed(Person.ada.identity, .client)),
        .demote(Person.ada.session(), in: .planning, .client),
      ])
    let detached = roster.detach(
      Person.grace.session(), from: .a, lastHeard: clock[.zero], at: clock[.seconds(1)])
    #expect(detached == [.demote(Person.grace.session(), in: .planning, .connectionLost)])
  }

  @Test func `a mute in a replica is published only to the muted attendee`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(kind: replica), clock)
    let effects = roster.setMutedByOperator(Person.ada.attendee, to: true, at: clock[.zero])
    let change = MuteChange(participant: Person.ada.participant, mute: .byOperator)
    let event = RosterEvent(updates: [.mute([change])], onlyFor: Person.ada.participant)
    #expect(effects == [.publish(event)])
  }

  @Test func `the event that ends a replica's session contains a status`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(kind: replica), clock)
    let effects = roster.endAttendee(Person.ada.attendee, at: clock[.zero])
    let ended = SessionToEnd(session: Person.ada.session(), status: .attendeeDeleted)
    #expect(
      effects.prefix(2) == [
        .recorded(.departed(Person.ada.identity, .attendeeDeleted), lost: [Person.ada.session()]),
        .publish(RosterEvent(ended: [ended])),
      ])
  }

  @Test func `a replica refuses a join that describes the meeting as an ordinary meeting`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(kind: replica), clock)
    #expect(throws: PresenceError.kindMismatch) {
      try roster.join(Person.grace.description(), clock)
    }
  }

  @Test func `a promoted attendee is in the primary until the attendee disconnects`() throws {
    var roster = Roster.settled(clock)
    let outcome = try roster.join(Person.ada.description(), clock, as: .promotion)
    #expect(outcome.effects == .joined(Person.ada.entry()))
    let effects = roster.detach(
      Person.ada.session(), from: .a, lastHeard: clock[.zero], at: clock[.zero])
    #expect(effects == .demoted(.ada, as: .connectionLost))
  }

  @Test func `the loss of a gateway immediately demotes the gateway's promoted sessions`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(), clock, as: .promotion)
    #expect(roster.loseGateway(.a, at: clock[.zero]) == .demoted(.ada, as: .gatewayLost))
  }

  @Test func `a promotion into a full meeting is refused`() throws {
    var roster = Roster.settled(PresenceRules(maxAttendees: 1), clock)
    try roster.join(Person.grace.description(), clock)
    #expect(throws: PresenceError.meetingFull(capacity: 1)) {
      try roster.join(Person.ada.description(), clock, as: .promotion)
    }
  }
}

extension RosterEffect {
  /// Returns an event that no client receives.
  fileprivate static func recorded(
    _ change: PresenceChange, lost: [SessionID] = []
  ) -> RosterEffect {
    .publish(RosterEvent(updates: [.presence([change])], lost: lost, onlyFor: .nobody))
  }
}
