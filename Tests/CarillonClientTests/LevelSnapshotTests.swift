import Testing

@testable import CarillonClientCore

struct LevelSnapshotTests {
  private typealias Change = LevelSnapshot<VolumeLevel>.Change

  private func replace(
    _ snapshot: inout LevelSnapshot<VolumeLevel>, with entries: [(String, VolumeLevel)]
  ) -> [Change] {
    snapshot.replace(with: entries.map { (AttendeeInfo($0.0), $0.1) })
  }

  private func change(_ id: String, _ previous: VolumeLevel?, _ level: VolumeLevel) -> Change {
    Change(attendee: AttendeeInfo(id), previous: previous, level: level)
  }

  @Test func `a level is reported as a change only if it differs from the previous level`() {
    var snapshot = LevelSnapshot<VolumeLevel>()
    #expect(replace(&snapshot, with: [("a", .low), ("b", .muted)]).count == 2)
    #expect(
      replace(&snapshot, with: [("a", .high), ("b", .muted)]) == [change("a", .low, .high)])
    #expect(replace(&snapshot, with: [("a", .high), ("b", .muted)]).isEmpty)
  }

  @Test func `the first reported level of an attendee has no previous level`() {
    var snapshot = LevelSnapshot<VolumeLevel>()
    #expect(
      replace(&snapshot, with: [("a", .notSpeaking)]) == [change("a", nil, .notSpeaking)])
  }

  @Test func `an attendee missing from one list counts as new in the next list`() {
    var snapshot = LevelSnapshot<VolumeLevel>()
    _ = replace(&snapshot, with: [("a", .muted)])
    #expect(replace(&snapshot, with: []).isEmpty)
    #expect(replace(&snapshot, with: [("a", .muted)]) == [change("a", nil, .muted)])
  }

  @Test func `an update changes only the levels of the attendees that the update lists`() {
    var snapshot = LevelSnapshot<VolumeLevel>()
    _ = replace(&snapshot, with: [("a", .low), ("b", .muted)])
    let news = [(AttendeeInfo("a"), VolumeLevel.low), (AttendeeInfo("c"), .high)]
    #expect(snapshot.update(with: news) == [change("c", nil, .high)])
    #expect(replace(&snapshot, with: [("b", .muted), ("c", .high)]).isEmpty)
  }

  @Test func `if an update lists an attendee twice, the last entry counts`() {
    var snapshot = LevelSnapshot<VolumeLevel>()
    let news = [(AttendeeInfo("a"), VolumeLevel.low), (AttendeeInfo("a"), .high)]
    #expect(snapshot.update(with: news) == [change("a", nil, .high)])
  }

  @Test func `an attendee who was forgotten counts as new in the next update`() {
    var snapshot = LevelSnapshot<VolumeLevel>()
    _ = replace(&snapshot, with: [("a", .muted), ("b", .low)])
    snapshot.forget([AttendeeInfo("a")])
    let news = [(AttendeeInfo("a"), VolumeLevel.muted), (AttendeeInfo("b"), .low)]
    #expect(snapshot.update(with: news) == [change("a", nil, .muted)])
  }

  @Test func `if a full list contains an attendee twice, the last entry counts`() {
    var snapshot = LevelSnapshot<VolumeLevel>()
    #expect(
      replace(&snapshot, with: [("a", .low), ("a", .high)]) == [change("a", nil, .high)])
  }
}
