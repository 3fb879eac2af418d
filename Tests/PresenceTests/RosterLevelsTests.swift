import MeetingModel
import OwnerTestSupport
import Testing

@testable import Presence

@Suite struct RosterLevelsTests {
  let clock = Clock()

  private func roster(with people: Person...) throws -> Roster {
    var roster = Roster.settled(clock)
    for person in people { try roster.join(person.description(), clock) }
    return roster
  }

  private func report(_ person: Person, _ volume: VolumeLevel) -> LevelReport {
    LevelReport(participant: person.participant, volume: volume)
  }

  @Test func `an update of levels contains only changed levels`() throws {
    var roster = try roster(with: .ada, .grace)
    let effects = roster.reportLevels(
      [report(.ada, .high), report(.grace, .notSpeaking)], at: clock[.zero])
    #expect(effects == .volumes((.ada, .high)))
  }

  @Test func `levels are published at most five times a second`() throws {
    var roster = try roster(with: .ada, .grace)
    _ = roster.reportLevels([report(.ada, .high)], at: clock[.zero])
    let soon = clock[.milliseconds(50)]
    #expect(roster.reportLevels([report(.grace, .low)], at: soon).isEmpty)
    #expect(roster.reportLevels([report(.ada, .medium)], at: soon).isEmpty)
    #expect(roster.nextDeadline == clock[.milliseconds(200)])
    #expect(roster.advance(to: clock[.milliseconds(199)]).isEmpty)
    let effects = roster.advance(to: clock[.milliseconds(200)])
    #expect(effects == .volumes((.ada, .medium), (.grace, .low)))
    #expect(roster.nextDeadline == nil)
  }

  @Test func `a level that returns to its published value is not published again`() throws {
    var roster = try roster(with: .ada)
    _ = roster.reportLevels([report(.ada, .high)], at: clock[.zero])
    _ = roster.reportLevels([report(.ada, .low)], at: clock[.milliseconds(50)])
    _ = roster.reportLevels([report(.ada, .high)], at: clock[.milliseconds(100)])
    #expect(roster.advance(to: clock[.milliseconds(200)]).isEmpty)
  }

  @Test func `signal strengths are published with the volumes`() throws {
    var roster = try roster(with: .ada)
    let level = LevelReport(participant: Person.ada.participant, volume: .low, signal: .high)
    let update = LevelsUpdate(
      volumes: [VolumeChange(participant: Person.ada.participant, level: .low)],
      signals: [SignalStrengthChange(participant: Person.ada.participant, strength: .high)])
    #expect(roster.reportLevels([level], at: clock[.zero]) == [.publishLevels(update)])
    #expect(roster.entries == [Person.ada.entry(volume: .low, signal: .high)])
  }

  @Test func `the volume of a muted attendee is reported as muted`() throws {
    var roster = try roster(with: .ada)
    _ = roster.reportLevels([report(.ada, .high)], at: clock[.zero])
    _ = try roster.setMuted(Person.ada.session(), to: true)
    #expect(roster.reportLevels([report(.ada, .high)], at: clock[.seconds(1)]).isEmpty)
    #expect(roster.entries.map(\.volume) == [.muted])
  }

  @Test func `after an unmute, an attendee counts as silent until its next measured level`() throws
  {
    var roster = try roster(with: .ada)
    _ = roster.reportLevels([report(.ada, .high)], at: clock[.zero])
    _ = try roster.setMuted(Person.ada.session(), to: true)
    _ = try roster.setMuted(Person.ada.session(), to: false)
    #expect(roster.entries.map(\.volume) == [.notSpeaking])
    let effects = roster.reportLevels([report(.ada, .high)], at: clock[.seconds(1)])
    #expect(effects == .volumes((.ada, .high)))
  }

  @Test func `a measured volume with the value muted counts as silence, not as a mute`() throws {
    var roster = try roster(with: .ada)
    _ = roster.reportLevels([report(.ada, .high)], at: clock[.zero])
    let effects = roster.reportLevels([report(.ada, .muted)], at: clock[.seconds(1)])
    #expect(effects == .volumes((.ada, .notSpeaking)))
  }

  @Test func `levels of unknown participants are ignored`() throws {
    var roster = try roster(with: .ada)
    #expect(roster.reportLevels([report(.grace, .high)], at: clock[.zero]).isEmpty)
    #expect(roster.nextDeadline == nil)
  }
}
