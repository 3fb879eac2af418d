import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import Presence

@Suite struct RosterJoinTests {
  let clock = Clock()

  @Test func `a join is published and adds the attendee to the roster`() throws {
    var roster = Roster.settled(clock)
    let outcome = try roster.join(Person.ada.description(), clock)
    #expect(!outcome.wasPresent)
    #expect(outcome.effects == .joined(Person.ada.entry()))
    #expect(roster.entries == [Person.ada.entry()])
  }

  @Test func `a roster lists its participants in the order of their joins`() throws {
    var roster = Roster.settled(clock)
    for person in [Person.grace, .edsger, .ada] { try roster.join(person.description(), clock) }
    _ = roster.leave(Person.edsger.session(), as: .client, at: clock[.zero])
    try roster.join(Person.edsger.description(), clock)
    #expect(
      roster.entries.map(\.identity)
        == [Person.grace.identity, Person.ada.identity, Person.edsger.identity])
  }

  @Test func `a full meeting refuses the next attendee with status 64`() throws {
    var roster = Roster.settled(PresenceRules(maxAttendees: 2), clock)
    try roster.join(Person.ada.description(), clock)
    try roster.join(Person.grace.description(), clock)
    let error = #expect(throws: PresenceError.meetingFull(capacity: 2)) {
      try roster.join(Person.edsger.description(), clock)
    }
    #expect(error?.status.code == .resourceExhausted)
    #expect(error?.status.sessionStatus == .audioCallAtCapacity)
    #expect(error?.status.reason == .meetingFull)
    #expect(roster.attendeeCount == 2)
  }

  @Test func `a meeting's limit applies if it is below the server's limit`() throws {
    var roster = Roster.settled(PresenceRules(maxAttendees: 2), clock)
    try roster.join(Person.ada.description(capacity: 1), clock)
    #expect(throws: PresenceError.meetingFull(capacity: 1)) {
      try roster.join(Person.grace.description(capacity: 1), clock)
    }
    #expect(roster.capacity == 1)
  }

  @Test func `the server's limit applies if it is below the meeting's limit`() throws {
    var roster = Roster.settled(PresenceRules(maxAttendees: 1), clock)
    try roster.join(Person.ada.description(capacity: 100), clock)
    #expect(throws: PresenceError.meetingFull(capacity: 1)) {
      try roster.join(Person.grace.description(capacity: 100), clock)
    }
  }

  @Test func `a departure makes room for another attendee`() throws {
    var roster = Roster.settled(PresenceRules(maxAttendees: 1), clock)
    try roster.join(Person.ada.description(), clock)
    _ = roster.leave(Person.ada.session(), as: .client, at: clock[.zero])
    try roster.join(Person.grace.description(), clock)
    #expect(roster.entries == [Person.grace.entry()])
  }

  @Test func `a content share is not counted and can join without its owner`() throws {
    var roster = Roster.settled(PresenceRules(maxAttendees: 1), clock)
    try roster.join(Person.ada.description(), clock)
    try roster.join(Person.grace.content.description(), clock)
    try roster.join(Person.ada.content.description(), clock)
    #expect(roster.entries.count == 3)
    #expect(roster.attendeeCount == 1)
  }

  @Test func `a resumed session is not published as a second join`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(), clock)
    let outcome = try roster.join(Person.ada.description(), clock, as: .resume)
    #expect(outcome == JoinOutcome(wasPresent: true, effects: []))
  }

  @Test func `an attendee who is present can join a full meeting again`() throws {
    var roster = Roster.settled(PresenceRules(maxAttendees: 1), clock)
    try roster.join(Person.ada.description(), clock)
    try roster.join(Person.ada.description(), clock, as: .resume)
    try roster.join(Person.ada.description(1), clock)
    #expect(roster.attendeeCount == 1)
  }

  @Test func `a newer session ends the older session with status 61`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(), clock)
    let outcome = try roster.join(Person.ada.description(1), through: .b, clock)
    #expect(!outcome.wasPresent)
    #expect(outcome.effects == .ended(Person.ada.session(), .joinedElsewhere))
    #expect(Status.joinedElsewhere.sessionStatus == .audioJoinedFromAnotherDevice)
    #expect(roster.entries == [Person.ada.entry()])
  }

  @Test func `a newer session's mute state replaces the mute state of the older session`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(), clock)
    let outcome = try roster.join(Person.ada.description(1, mute: .own), clock)
    let event = RosterEvent(
      updates: [.mute([MuteChange(participant: Person.ada.participant, mute: .own)])],
      ended: [SessionToEnd(session: Person.ada.session(), status: .joinedElsewhere)],
      lost: [Person.ada.session()])
    #expect(outcome.effects == [.publish(event)])
  }

  @Test func `a replaced session cannot be resumed`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(), clock)
    try roster.join(Person.ada.description(1), clock)
    #expect(throws: PresenceError.sessionEnded(.joinedElsewhere)) {
      try roster.join(Person.ada.description(), clock, as: .resume)
    }
    _ = roster.leave(Person.ada.session(1), as: .client, at: clock[.zero])
    #expect(throws: PresenceError.sessionEnded(.joinedElsewhere)) {
      try roster.join(Person.ada.description(), clock, as: .resume)
    }
  }

  @Test func `a resumed unknown session does not replace a newer session`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(1), clock)
    #expect(throws: PresenceError.sessionEnded(.joinedElsewhere)) {
      try roster.join(Person.ada.description(0), clock, as: .resume)
    }
  }

  @Test func `a session of one participant cannot be used by another participant`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(), clock)
    var stolen = Person.grace.description()
    stolen.id = Person.ada.session()
    #expect(throws: PresenceError.sessionTaken) { try roster.join(stolen, clock) }
  }

  @Test func `a refused join changes nothing`() throws {
    var roster = Roster.settled(PresenceRules(maxAttendees: 1), clock)
    try roster.join(Person.ada.description(), clock)
    #expect(throws: PresenceError.self) {
      try roster.join(Person.grace.description(capacity: 0), clock)
    }
    #expect(roster.capacity == 1)
    #expect(roster.leave(Person.grace.session(), as: .client, at: clock[.zero]).isEmpty)
  }
}
