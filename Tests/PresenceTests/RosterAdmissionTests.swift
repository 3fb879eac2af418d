import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import Presence

/// Tests of admission. A decision of an operator counts even if the store still has an older state.
@Suite struct RosterAdmissionTests {
  let clock = Clock()

  @Test
  func `a barred attendee leaves the roster, and all sessions of this attendee end`()
    throws
  {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(), clock)
    try roster.join(Person.grace.description(), clock)
    let effects = roster.setBarred(Person.ada.attendee, to: true, at: clock[.zero])
    let event = RosterEvent(
      updates: [.presence([.departed(Person.ada.identity, .operator)])],
      ended: [SessionToEnd(session: Person.ada.session(), status: .barred)],
      lost: [Person.ada.session()])
    #expect(effects == [.publish(event)])
    #expect(roster.entries == [Person.grace.entry()])
  }

  @Test func `a barred attendee is refused although its gateway has outdated data`() throws {
    var roster = Roster.settled(clock)
    _ = roster.setBarred(Person.ada.attendee, to: true, at: clock[.zero])
    #expect(throws: PresenceError.barred) {
      try roster.join(Person.ada.description(), clock)
    }
    let announced = roster.announce([Person.ada.description()], through: .a, at: clock[.zero])
    #expect(announced.refused.map(\.reason) == [.sessionEnded(.barred)])
  }

  @Test func `an attendee that is no longer barred can join again`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(), clock)
    _ = roster.setBarred(Person.ada.attendee, to: true, at: clock[.zero])
    #expect(roster.setBarred(Person.ada.attendee, to: false, at: clock[.zero]).isEmpty)
    try roster.join(Person.ada.description(2), clock)
    #expect(roster.attendeeCount == 1)
  }

  @Test func `a locked meeting refuses new attendees`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(), clock)
    var locked = Person.grace.description()
    locked.isLocked = true
    #expect(throws: PresenceError.meetingLocked) { try roster.join(locked, clock) }
    #expect(roster.attendeeCount == 1)
  }

  @Test func `an attendee of a locked meeting can rejoin and share content`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(), clock)
    roster.setLocked(to: true, at: clock[.zero])
    _ = roster.detach(Person.ada.session(), from: .a, lastHeard: clock[.zero], at: clock[.zero])
    try roster.join(Person.ada.description(), clock, as: .resume)
    try roster.join(Person.ada.description(2), clock)
    var share = Person.ada.description(3)
    share.participant = ParticipantID(Person.ada.attendee, modality: .content)
    try roster.join(share, clock)
    #expect(roster.entries.count == 2)
  }

  @Test func `an attendee whom an operator just allowed to return can enter a locked meeting`()
    throws
  {
    var roster = Roster.settled(clock)
    roster.setLocked(to: true, at: clock[.zero])
    _ = roster.setBarred(Person.grace.attendee, to: false, at: clock[.zero])
    try roster.join(Person.grace.description(), clock)
    #expect(throws: PresenceError.meetingLocked) {
      try roster.join(Person.ada.description(), clock)
    }
    #expect(roster.attendeeCount == 1)
  }

  @Test func `a recent lock or unlock overrides the lock state that a gateway read from the store`()
    throws
  {
    var roster = Roster.settled(clock)
    roster.setLocked(to: true, at: clock[.zero])
    #expect(throws: PresenceError.meetingLocked) {
      try roster.join(Person.ada.description(), clock)
    }
    roster.setLocked(to: false, at: clock[.zero])
    var locked = Person.ada.description()
    locked.isLocked = true
    try roster.join(locked, clock)
    // A minute later, presence uses the lock state in the announcement. A locked meeting accepts
    // announced sessions.
    var late = Person.grace.description()
    late.isLocked = true
    let refused = roster.announce([late], through: .a, at: clock[.seconds(60)]).refused
    #expect(refused.isEmpty)
  }

  @Test func `a new owner accepts announced sessions of a locked meeting`() throws {
    var roster = Roster(rules: PresenceRules(), isRecovering: true, at: clock[.zero])
    var locked = Person.ada.description()
    locked.isLocked = true
    #expect(roster.announce([locked], through: .a, at: clock[.zero]).refused.isEmpty)
    #expect(roster.attendeeCount == 1)
  }
}
