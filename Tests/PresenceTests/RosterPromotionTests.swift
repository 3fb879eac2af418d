import MeetingModel
import OwnerTestSupport
import Ownership
import Testing
import Wire

@testable import Presence

/// Tests of promoted sessions in a primary's roster: who may end a promotion, and the effects of a
/// promotion's end.
@Suite struct RosterPromotionTests {
  private let clock = Clock()

  /// Returns a roster in which Ada is promoted through gateway a.
  private func roster(isRecovering: Bool = false) throws -> Roster {
    var roster = Roster(rules: PresenceRules(), isRecovering: isRecovering, at: clock[.zero])
    try roster.join(Person.ada.description(), clock, as: .promotion)
    return roster
  }

  /// Returns an announcement of a person with Ada's session.
  private func withAdasSession(_ person: Person, isPromoted: Bool = false) -> AnnouncedSession {
    var description = person.description()
    description.id = Person.ada.session()
    description.isPromoted = isPromoted
    return description
  }

  @Test func `a gateway that does not serve a promoted session cannot demote that session`() throws
  {
    var roster = try roster()
    #expect(
      roster.demote(Person.ada.session(), by: .b, as: .demoted, at: clock[.zero]).isEmpty)
    try roster.join(Person.ada.description(), through: .b, clock, as: .promotion)
    #expect(
      roster.demote(Person.ada.session(), by: .a, as: .demoted, at: clock[.zero]).isEmpty)
    #expect(
      roster.demote(Person.ada.session(), by: nil, as: .demoted, at: clock[.zero])
        == .departed(.ada, as: .demoted))
  }

  @Test func `an attendee that joined the primary directly is not demoted`() throws {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(), clock)
    #expect(
      roster.demote(Person.ada.session(), by: nil, as: .demoted, at: clock[.zero]).isEmpty)
  }

  @Test func `an operator's demotion ends the promotion and notifies the promoted session`() throws
  {
    var roster = try roster()
    try roster.join(Person.grace.description(), through: .b, clock)
    let ended = try roster.demote(Person.ada.attendee, at: clock[.zero])
    #expect(ended.wasPromoted)
    #expect(
      ended.effects == [
        .publish(
          RosterEvent(
            updates: [.presence([.departed(Person.ada.identity, .operator)])],
            ended: [SessionToEnd(session: Person.ada.session(), status: .demotedByOperator)]))
      ])
    let repeated = try roster.demote(Person.ada.attendee, at: clock[.zero])
    #expect(!repeated.wasPromoted && repeated.effects.isEmpty)
    let own = try roster.demote(Person.grace.attendee, at: clock[.zero])
    #expect(!own.wasPromoted && own.effects.isEmpty)
    #expect(roster.entries.map(\.identity) == [Person.grace.identity])
  }

  @Test(arguments: [0, 1])
  func `an attendee that an operator demoted can be promoted again`(device: UInt8) throws {
    var roster = try roster()
    _ = try roster.demote(Person.ada.attendee, at: clock[.zero])
    let outcome = try roster.join(Person.ada.description(device), clock, as: .promotion)
    #expect(outcome.effects == .joined(Person.ada.entry()))
  }

  @Test func `an announcement does not restore a promotion that an operator ended`() throws {
    var roster = try roster()
    let announced = withAdasSession(.ada, isPromoted: true)
    _ = try roster.demote(Person.ada.attendee, at: clock[.zero])
    let late = roster.announce([announced], through: .a, at: clock[.zero])
    #expect(late.refused.map(\.reason) == [.sessionEnded(.demotedByOperator)])
    #expect(late.effects.isEmpty)
    // The roster accepts the announcement of a newer promotion.
    try roster.join(Person.ada.description(), clock, as: .promotion)
    #expect(roster.announce([announced], through: .a, at: clock[.zero]).refused.isEmpty)
    #expect(roster.entries.map(\.identity) == [Person.ada.identity])
  }

  @Test func `an operator's demotion fails in recovery until the promotion is announced`()
    throws
  {
    var roster = Roster.recovering(clock)
    #expect(throws: PresenceError.recovering) {
      try roster.demote(Person.ada.attendee, at: clock[.zero])
    }
    _ = roster.announce(
      [withAdasSession(.ada, isPromoted: true)], through: .a, at: clock[.zero])
    let ended = try roster.demote(Person.ada.attendee, at: clock[.zero])
    #expect(ended.wasPromoted)
    #expect(ended.effects == .ended(Person.ada.session(), .demotedByOperator, isPromotion: true))
    #expect(roster.endRecovery(at: clock[.zero]) == .departed(.ada, as: .operator))
  }

  @Test func `a session whose promoted attendee was deleted can be promoted as another attendee`()
    throws
  {
    var roster = try roster()
    _ = roster.endAttendee(Person.ada.attendee, at: clock[.zero])
    #expect(throws: PresenceError.attendeeDeleted) {
      try roster.join(Person.ada.description(), clock, as: .promotion)
    }
    let outcome = try roster.join(withAdasSession(.grace), clock, as: .promotion)
    #expect(outcome.effects == .joined(Person.grace.entry()))
  }

  @Test func `a session whose attendee joined elsewhere can be promoted again`() throws {
    var roster = try roster()
    let replaced = try roster.join(Person.ada.description(1), clock)
    #expect(
      replaced.effects == .ended(Person.ada.session(), .joinedElsewhere, isPromotion: true))
    try roster.join(withAdasSession(.grace), clock, as: .promotion)
    #expect(roster.entries.map(\.identity) == [Person.ada.identity, Person.grace.identity])
  }

  @Test func `a new promotion of a session replaces the session's former attendee`() throws {
    var roster = try roster()
    try roster.join(withAdasSession(.grace), clock, as: .promotion)
    #expect(roster.entries.map(\.identity) == [Person.grace.identity])
    #expect(roster.attendeeCount == 1)
    let effects = roster.demote(Person.ada.session(), by: .a, as: .demoted, at: clock[.zero])
    #expect(effects == .departed(.grace, as: .demoted))
  }

  @Test func `a departure that recovery postponed does not end the session's new promotion`()
    throws
  {
    var roster = try roster(isRecovering: true)
    _ = roster.demote(Person.ada.session(), by: .a, as: .demoted, at: clock[.zero])
    try roster.join(withAdasSession(.grace), clock, as: .promotion)
    _ = roster.endRecovery(at: clock[.seconds(1)])
    #expect(roster.entries.map(\.identity) == [Person.grace.identity])
    let effects = roster.demote(Person.ada.session(), by: .a, as: .demoted, at: clock[.zero])
    #expect(effects == .departed(.grace, as: .demoted))
  }

  @Test func `a promotion ends if the gateway that announced the promotion is lost`() throws {
    var roster = Roster.recovering(clock)
    let refused = roster.announce(
      [withAdasSession(.ada, isPromoted: true)], through: .a, at: clock[.zero]
    ).refused
    #expect(refused.isEmpty)
    _ = roster.endRecovery(at: clock[.zero])
    #expect(roster.loseGateway(.a, at: clock[.zero]) == .demoted(.ada, as: .gatewayLost))
  }

  @Test func `a session in a replica cannot be announced as promoted`() throws {
    let session = V1.GatewaySession(
      meetingID: MeetingID.audience.text, participantID: Person.ada.participant.text,
      externalUserID: "ada", sessionID: Person.ada.session().bytes,
      capabilities: V1.Capabilities(.all), primaryMeetingID: MeetingID.planning.text,
      isPromoted: true)
    #expect(throws: PresenceError.malformed(field: "is_promoted", rule: "false in a replica")) {
      try AnnouncedSession.read(session, joinedAtMs: 1)
    }
    var promoted = session
    promoted.primaryMeetingID = ""
    #expect(try AnnouncedSession.read(promoted, joinedAtMs: 1).1.isPromoted)
  }
}
