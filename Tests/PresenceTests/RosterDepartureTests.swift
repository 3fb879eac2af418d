import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import Presence

@Suite struct RosterDepartureTests {
  let clock = Clock()

  private func roster(with people: Person..., rules: PresenceRules = PresenceRules()) throws
    -> Roster
  {
    var roster = Roster.settled(rules, clock)
    for person in people { try roster.join(person.description(), clock) }
    return roster
  }

  @Test func `the departure of an attendee is published once`() throws {
    var roster = try roster(with: .ada)
    let effects = roster.leave(Person.ada.session(), as: .client, at: clock[.zero])
    #expect(effects == .departed(.ada, as: .client))
    #expect(PresenceReason.client.departedState == .left)
    #expect(roster.leave(Person.ada.session(), as: .client, at: clock[.zero]).isEmpty)
  }

  @Test func `a meeting is unattended when no attendee is connected`() throws {
    #expect(Roster.settled(clock).isUnattended)
    var roster = try roster(with: .ada, .grace)
    _ = roster.leave(Person.ada.session(), as: .client, at: clock[.zero])
    #expect(!roster.isUnattended)
    _ = roster.detach(
      Person.grace.session(), from: .a, lastHeard: clock[.zero], at: clock[.zero])
    #expect(roster.isUnattended)
    #expect(roster.entries.count == 1)
  }

  @Test func `a detached client is dropped after five seconds of silence`() throws {
    var roster = try roster(with: .ada)
    let detached = roster.detach(
      Person.ada.session(), from: .a, lastHeard: clock[.seconds(7)], at: clock[.seconds(10)])
    #expect(detached.isEmpty)
    #expect(roster.nextDeadline == clock[.seconds(12)])
    #expect(roster.advance(to: clock[.milliseconds(11_999)]).isEmpty)
    #expect(roster.advance(to: clock[.seconds(12)]) == .departed(.ada, as: .connectionLost))
    #expect(PresenceReason.connectionLost.departedState == .dropped)
    #expect(roster.nextDeadline == nil)
  }

  @Test func `a detached client that was silent for five seconds is dropped immediately`() throws {
    var roster = try roster(with: .ada)
    let effects = roster.detach(
      Person.ada.session(), from: .a, lastHeard: clock[.zero], at: clock[.seconds(5)])
    #expect(effects == .departed(.ada, as: .connectionLost))
  }

  @Test func `a client that resumes in time counts as continuously present`() throws {
    var roster = try roster(with: .ada)
    _ = roster.detach(
      Person.ada.session(), from: .a, lastHeard: clock[.zero], at: clock[.seconds(3)])
    let outcome = try roster.join(
      Person.ada.description(), through: .b, clock, as: .resume, after: .seconds(4))
    #expect(outcome == JoinOutcome(wasPresent: true, effects: []))
    #expect(roster.advance(to: clock[.seconds(60)]).isEmpty)
  }

  @Test func `a resume that comes too late counts as a new join`() throws {
    var roster = try roster(with: .ada)
    _ = roster.detach(
      Person.ada.session(), from: .a, lastHeard: clock[.zero], at: clock[.seconds(5)])
    let outcome = try roster.join(
      Person.ada.description(), clock, as: .resume, after: .seconds(6))
    #expect(outcome == JoinOutcome(wasPresent: false, effects: .joined(Person.ada.entry())))
  }

  @Test func `a detach by the client's former gateway is ignored`() throws {
    var roster = try roster(with: .ada)
    try roster.join(Person.ada.description(), through: .b, clock, as: .resume)
    let effects = roster.detach(
      Person.ada.session(), from: .a, lastHeard: clock[.zero], at: clock[.seconds(9)])
    #expect(effects.isEmpty)
    #expect(roster.nextDeadline == nil)
  }

  @Test func `a detach of a session that has left does nothing`() throws {
    var roster = try roster(with: .ada)
    _ = roster.leave(Person.ada.session(), as: .client, at: clock[.zero])
    let effects = roster.detach(
      Person.ada.session(), from: .a, lastHeard: clock[.zero], at: clock[.seconds(9)])
    #expect(effects.isEmpty)
  }

  @Test func `attendees of a lost gateway can resume for fifteen seconds`() throws {
    var roster = try roster(with: .ada, .grace)
    try roster.join(Person.edsger.description(), through: .b, clock)
    #expect(roster.loseGateway(.a, at: clock[.seconds(3)]).isEmpty)
    try roster.join(
      Person.grace.description(), through: .b, clock, as: .resume, after: .seconds(4))
    #expect(roster.advance(to: clock[.milliseconds(17_999)]).isEmpty)
    #expect(roster.advance(to: clock[.seconds(18)]) == .departed(.ada, as: .gatewayLost))
    #expect(PresenceReason.gatewayLost.departedState == .dropped)
    #expect(roster.entries.count == 2)
  }

  @Test func `attendees that are dropped at the same time share one event`() throws {
    var roster = try roster(with: .grace, .ada)
    _ = roster.loseGateway(.a, at: clock[.zero])
    let effects = roster.advance(to: clock[.seconds(15)])
    #expect(effects == .departed(.grace, .ada, as: .gatewayLost))
  }

  @Test func `a session that is detached after the loss of its gateway gets the usual deadline`()
    throws
  {
    var roster = try roster(with: .ada)
    _ = roster.loseGateway(.a, at: clock[.seconds(3)])
    _ = roster.detach(
      Person.ada.session(), from: .a, lastHeard: clock[.seconds(2)], at: clock[.seconds(5)])
    #expect(roster.nextDeadline == clock[.seconds(7)])
  }

  @Test func `deleting an attendee ends the attendee's session and content share with status 60`()
    throws
  {
    var roster = try roster(with: .ada, .grace, Person.ada.content)
    let effects = roster.endAttendee(Person.ada.attendee, at: clock[.zero])
    let event = RosterEvent(
      updates: [
        .presence([
          .departed(Person.ada.identity, .attendeeDeleted),
          .departed(Person.ada.content.identity, .attendeeDeleted),
        ])
      ],
      ended: [
        SessionToEnd(session: Person.ada.session(), status: .attendeeDeleted),
        SessionToEnd(session: Person.ada.content.session(), status: .attendeeDeleted),
      ], lost: [Person.ada.session(), Person.ada.content.session()])
    #expect(effects == [.publish(event)])
    #expect(Status.attendeeDeleted.sessionStatus == .audioServerHungup)
    #expect(Status.attendeeDeleted.reason == .attendeeDeleted)
    #expect(roster.entries == [Person.grace.entry()])
  }

  @Test func `a resume of a deleted attendee fails with the deletion status`() throws {
    var roster = try roster(with: .ada)
    _ = roster.endAttendee(Person.ada.attendee, at: clock[.zero])
    #expect(throws: PresenceError.sessionEnded(.attendeeDeleted)) {
      try roster.join(Person.ada.description(), clock, as: .resume)
    }
  }

  @Test func `a join of an attendee that was just deleted is rejected`() throws {
    var roster = Roster.settled(clock)
    #expect(roster.endAttendee(Person.ada.attendee, at: clock[.zero]).isEmpty)
    let error = #expect(throws: PresenceError.attendeeDeleted) {
      try roster.join(Person.ada.description(), clock)
    }
    #expect(error?.status.sessionStatus == .audioAuthenticationRejected)
  }

  @Test func `the last event of a meeting contains the departures of all attendees`() throws {
    var roster = try roster(with: .ada, .grace)
    let status = Status(.notFound, "Deleted.", session: .audioServerHungup, reason: .meetingDeleted)
    let effects = roster.endMeeting(status, at: clock[.zero])
    let event = RosterEvent(
      updates: [
        .presence([
          .departed(Person.ada.identity, .meetingEnded),
          .departed(Person.grace.identity, .meetingEnded),
        ])
      ],
      meetingEnded: status)
    #expect(effects == [.publish(event)])
    #expect(roster.entries.isEmpty)
    #expect(roster.endMeeting(status, at: clock[.zero]).isEmpty)
  }

  @Test func `an ended meeting refuses joins`() throws {
    var roster = Roster.settled(clock)
    let status = Status(.notFound, "Over.", session: .audioServerHungup, reason: .meetingExpired)
    _ = roster.endMeeting(status, at: clock[.zero])
    let error = #expect(throws: PresenceError.meetingEnded(status)) {
      try roster.join(Person.ada.description(), clock)
    }
    #expect(error?.status.sessionStatus == .audioCallEnded)
    #expect(error?.status.reason == .meetingExpired)
  }

  @Test func `only an empty meeting is forgotten, and only after ten minutes`() throws {
    var roster = Roster.settled(clock)
    #expect(roster.forgettableAt == clock[.seconds(600)])
    try roster.join(Person.ada.description(), clock)
    #expect(roster.forgettableAt == nil)
    _ = roster.leave(Person.ada.session(), as: .client, at: clock[.seconds(50)])
    #expect(roster.forgettableAt == clock[.seconds(650)])
  }
}
