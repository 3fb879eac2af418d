import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import Presence

@Suite struct RosterRecoveryTests {
  let clock = Clock()

  @Test func `all sessions of an announcement join in one event`() throws {
    var roster = Roster.recovering(clock)
    let (refused, effects) = roster.announce(
      [Person.ada.description(), Person.grace.description(mute: .own)], through: .a,
      at: clock[.zero])
    #expect(refused.isEmpty)
    #expect(effects == .joined(Person.ada.entry(), Person.grace.entry(mute: .own)))
  }

  @Test func `announced sessions may exceed the meeting's limit`() throws {
    var roster = Roster.recovering(PresenceRules(maxAttendees: 1), clock)
    _ = roster.announce(
      [Person.ada.description(), Person.grace.description()], through: .a, at: clock[.zero])
    try roster.join(Person(number: 9).description(), clock, as: .resume)
    #expect(roster.attendeeCount == 3)
    #expect(throws: PresenceError.meetingFull(capacity: 1)) {
      try roster.join(Person.edsger.description(), clock)
    }
  }

  @Test func `a client that resumes during recovery counts as already present`() throws {
    var roster = Roster.recovering(clock)
    #expect(try roster.join(Person.ada.description(), clock, as: .resume).wasPresent)
    #expect(try !roster.join(Person.grace.description(), clock).wasPresent)
  }

  @Test func `an announced session that was replaced is refused`() throws {
    var roster = Roster.recovering(clock)
    try roster.join(Person.ada.description(1), through: .b, clock)
    let (refused, effects) = roster.announce(
      [Person.ada.description()], through: .a, at: clock[.zero])
    #expect(
      refused == [
        RejectedSessionAnnouncement(
          id: Person.ada.session(), reason: .sessionEnded(.joinedElsewhere))
      ])
    #expect(effects.isEmpty)
  }

  @Test func `an announced session replaces a disconnected session`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(), clock)
    _ = roster.loseGateway(.a, at: clock[.zero])
    let (refused, effects) = roster.announce(
      [Person.ada.description(1)], through: .b, at: clock[.zero])
    #expect(refused.isEmpty)
    #expect(effects == .ended(Person.ada.session(), .joinedElsewhere))
  }

  @Test func `departures are published when recovery ends`() throws {
    var roster = Roster.recovering(clock)
    for person in [Person.ada, .grace, .edsger] { try roster.join(person.description(), clock) }
    #expect(roster.leave(Person.ada.session(), as: .client, at: clock[.zero]).isEmpty)
    let detached = roster.detach(
      Person.grace.session(), from: .a, lastHeard: clock[.zero], at: clock[.seconds(9)])
    #expect(detached.isEmpty)
    #expect(roster.advance(to: clock[.seconds(10)]).isEmpty)
    #expect(roster.entries.count == 3)
    let effects = roster.endRecovery(at: clock[.seconds(12)])
    let expected: [RosterEffect] =
      .departed(.ada, as: .client) + .departed(.grace, as: .connectionLost)
    #expect(effects == expected)
    #expect(roster.entries == [Person.edsger.entry()])
  }

  @Test func `a departure during recovery makes room for another attendee`() throws {
    var roster = Roster.recovering(PresenceRules(maxAttendees: 1), clock)
    try roster.join(Person.ada.description(), clock)
    _ = roster.leave(Person.ada.session(), as: .client, at: clock[.zero])
    try roster.join(Person.grace.description(), clock)
    #expect(throws: PresenceError.meetingFull(capacity: 1)) {
      try roster.join(Person.ada.description(1), clock)
    }
  }

  @Test func `an attendee that leaves and rejoins during recovery is not reported as departed`()
    throws
  {
    var roster = Roster.recovering(clock)
    try roster.join(Person.ada.description(), clock)
    _ = roster.leave(Person.ada.session(), as: .client, at: clock[.zero])
    let outcome = try roster.join(Person.ada.description(1), clock)
    #expect(outcome.effects == .ended(Person.ada.session(), .joinedElsewhere))
    #expect(roster.endRecovery(at: clock[.zero]).isEmpty)
    #expect(roster.entries == [Person.ada.entry()])
  }

  @Test func `a deletion in recovery ends the session immediately but delays the leave event`()
    throws
  {
    var roster = Roster.recovering(clock)
    try roster.join(Person.ada.description(), clock)
    let effects = roster.endAttendee(Person.ada.attendee, at: clock[.zero])
    #expect(effects == .ended(Person.ada.session(), .attendeeDeleted))
    #expect(roster.endRecovery(at: clock[.zero]) == .departed(.ada, as: .attendeeDeleted))
  }

  @Test func `a meeting can end during recovery`() throws {
    var roster = Roster.recovering(clock)
    try roster.join(Person.ada.description(), clock)
    let effects = roster.endMeeting(Status(.notFound, "Deleted."), at: clock[.zero])
    #expect(effects.count == 1)
    #expect(roster.entries.isEmpty)
    #expect(roster.endRecovery(at: clock[.zero]).isEmpty)
  }
}
