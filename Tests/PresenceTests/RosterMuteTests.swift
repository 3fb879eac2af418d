import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import Presence

@Suite struct RosterMuteTests {
  let clock = Clock()

  private func rosterWithAda(_ mute: MuteState = .none) throws -> Roster {
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(mute: mute), clock)
    return roster
  }

  @Test func `an attendee's own mute and unmute are published`() throws {
    var roster = try rosterWithAda()
    #expect(try roster.setMuted(Person.ada.session(), to: true) == .muted(.ada, .own))
    #expect(roster.entries == [Person.ada.entry(mute: .own)])
    #expect(try roster.setMuted(Person.ada.session(), to: false) == .muted(.ada, .none))
    #expect(roster.entries == [Person.ada.entry()])
  }

  @Test func `a client's first declared mute state is always published`() throws {
    let unknown = MuteState(isOwn: false, isByOperator: false, isUnknown: true)
    for isMuted in [false, true] {
      var roster = Roster.settled(clock)
      let joined = try roster.join(Person.ada.description(mute: unknown), clock)
      #expect(joined.effects == .joined(Person.ada.entry(mute: unknown)))
      let told = MuteState(isOwn: isMuted, isByOperator: false)
      #expect(try roster.setMuted(Person.ada.session(), to: isMuted) == .muted(.ada, told))
      #expect(try roster.setMuted(Person.ada.session(), to: isMuted).isEmpty)
    }
  }

  @Test func `a client that resumes without a declared mute state keeps its earlier mute state`()
    throws
  {
    let unknown = MuteState(isOwn: false, isByOperator: false, isUnknown: true)
    var roster = Roster.settled(clock)
    try roster.join(Person.ada.description(mute: .own), clock)
    let again = try roster.join(Person.ada.description(mute: unknown), clock, as: .resume)
    #expect(again.effects.isEmpty)
    #expect(roster.isMuted(Person.ada.attendee) == true)
  }

  @Test func `a mute of a muted attendee is not published`() throws {
    var roster = try rosterWithAda(.own)
    #expect(try roster.setMuted(Person.ada.session(), to: true).isEmpty)
  }

  @Test func `an attendee that an operator muted cannot unmute itself`() throws {
    var roster = try rosterWithAda()
    let effects = roster.setMutedByOperator(Person.ada.attendee, to: true, at: clock[.zero])
    #expect(effects == .muted(.ada, .byOperator))
    let error = #expect(throws: PresenceError.mutedByOperator) {
      try roster.setMuted(Person.ada.session(), to: false)
    }
    #expect(error?.status.code == .failedPrecondition)
    #expect(error?.status.reason == .mutedByOperator)
    #expect(roster.isMuted(Person.ada.attendee) == true)
  }

  @Test(arguments: [MuteState.none, .own])
  func `lifting an operator's mute restores the attendee's own mute state`(choice: MuteState) throws
  {
    var roster = try rosterWithAda(choice)
    _ = roster.setMutedByOperator(Person.ada.attendee, to: true, at: clock[.zero])
    let effects = roster.setMutedByOperator(Person.ada.attendee, to: false, at: clock[.zero])
    #expect(effects == .muted(.ada, choice))
    #expect(roster.isMuted(Person.ada.attendee) == choice.isMuted)
  }

  @Test func `an attendee's own mute remains when an operator's mute is lifted`() throws {
    var roster = try rosterWithAda()
    _ = roster.setMutedByOperator(Person.ada.attendee, to: true, at: clock[.zero])
    #expect(try roster.setMuted(Person.ada.session(), to: true).isEmpty)
    let effects = roster.setMutedByOperator(Person.ada.attendee, to: false, at: clock[.zero])
    #expect(effects == .muted(.ada, .own))
  }

  @Test func `an operator's mute applies to the attendee's content share`() throws {
    var roster = try rosterWithAda()
    try roster.join(Person.ada.content.description(), clock)
    _ = roster.setMutedByOperator(Person.ada.attendee, to: true, at: clock[.zero])
    #expect(roster.entries.map(\.mute) == [.byOperator, .byOperator])
  }

  @Test func `an operator's mute applies to an attendee that joins within ten seconds`() throws {
    var roster = Roster.settled(clock)
    #expect(roster.setMutedByOperator(Person.ada.attendee, to: true, at: clock[.zero]).isEmpty)
    let outcome = try roster.join(Person.ada.description(), clock, after: .seconds(9))
    #expect(outcome.effects == .joined(Person.ada.entry(mute: .byOperator)))
  }

  @Test func `a join after ten seconds replaces an operator's earlier mute`() throws {
    var roster = Roster.settled(clock)
    _ = roster.setMutedByOperator(Person.ada.attendee, to: true, at: clock[.zero])
    let outcome = try roster.join(Person.ada.description(), clock, after: .seconds(10))
    #expect(outcome.effects == .joined(Person.ada.entry()))
  }

  @Test func `an attendee that a host muted can unmute itself`() throws {
    var roster = try rosterWithAda()
    #expect(try roster.mute(Person.ada.attendee) == .muted(.ada, .own))
    #expect(try roster.mute(Person.ada.attendee).isEmpty)
    #expect(try roster.setMuted(Person.ada.session(), to: false) == .muted(.ada, .none))
  }

  @Test func `a host's mute does not replace an operator's mute`() throws {
    var roster = try rosterWithAda()
    _ = roster.setMutedByOperator(Person.ada.attendee, to: true, at: clock[.zero])
    #expect(try roster.mute(Person.ada.attendee).isEmpty)
    #expect(throws: PresenceError.mutedByOperator) {
      try roster.setMuted(Person.ada.session(), to: false)
    }
    let effects = roster.setMutedByOperator(Person.ada.attendee, to: false, at: clock[.zero])
    #expect(effects == .muted(.ada, .own))
  }

  @Test func `a host's mute replaces an unknown mute state and leaves the content share unmuted`()
    throws
  {
    let unknown = MuteState(isOwn: false, isByOperator: false, isUnknown: true)
    var roster = try rosterWithAda(unknown)
    try roster.join(Person.ada.content.description(), clock)
    #expect(try roster.mute(Person.ada.attendee) == .muted(.ada, .own))
    #expect(roster.entries.map(\.mute) == [.own, .none])
  }

  @Test func `a host's mute of an absent attendee does nothing, but fails during recovery`()
    throws
  {
    var settled = Roster.settled(clock)
    #expect(try settled.mute(Person.ada.attendee).isEmpty)
    var recovering = Roster.recovering(clock)
    #expect(throws: PresenceError.recovering) { try recovering.mute(Person.ada.attendee) }
  }

  @Test func `a client that resumes can declare a new mute state`() throws {
    var roster = try rosterWithAda()
    let outcome = try roster.join(Person.ada.description(mute: .own), clock, as: .resume)
    #expect(outcome == JoinOutcome(wasPresent: true, effects: .muted(.ada, .own)))
  }

  @Test func `an unknown session cannot be muted`() throws {
    var roster = try rosterWithAda()
    #expect(throws: PresenceError.unknownSession) {
      try roster.setMuted(Person.grace.session(), to: true)
    }
  }

  @Test func `during recovery, a mute of an unknown session fails with a retryable status`() throws
  {
    var roster = Roster.recovering(clock)
    let error = #expect(throws: PresenceError.recovering) {
      try roster.setMuted(Person.ada.session(), to: true)
    }
    #expect(error?.status.code == .unavailable)
  }

  @Test func `changed capabilities are published once`() throws {
    var roster = try rosterWithAda()
    let silent = try AttendeeCapabilities(
      audio: .receive, video: .sendReceive, content: .sendReceive)
    let effects = roster.setCapabilities(Person.ada.attendee, to: silent, at: clock[.zero])
    #expect(
      effects
        == [.publish(RosterEvent(updates: [.capabilities(Person.ada.participant, silent)]))])
    #expect(roster.setCapabilities(Person.ada.attendee, to: silent, at: clock[.zero]).isEmpty)
    #expect(roster.entries == [Person.ada.entry(capabilities: silent)])
  }

  @Test func `an attendee that loses the audio capability is not muted`() throws {
    var roster = try rosterWithAda()
    let silent = try AttendeeCapabilities(audio: .receive, video: .none, content: .none)
    _ = roster.setCapabilities(Person.ada.attendee, to: silent, at: clock[.zero])
    #expect(roster.isMuted(Person.ada.attendee) == false)
  }
}
