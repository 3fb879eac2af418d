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

  @Test func `only what differs is a change`() {
    var snapshot = LevelSnapshot<VolumeLevel>()
    #expect(replace(&snapshot, with: [("a", .low), ("b", .muted)]).count == 2)
    #expect(
      replace(&snapshot, with: [("a", .high), ("b", .muted)]) == [change("a", .low, .high)])
    #expect(replace(&snapshot, with: [("a", .high), ("b", .muted)]).isEmpty)
  }

  @Test func `the first level has none before it`() {
    var snapshot = LevelSnapshot<VolumeLevel>()
    #expect(
      replace(&snapshot, with: [("a", .notSpeaking)]) == [change("a", nil, .notSpeaking)])
  }

  @Test func `who was missing from a list is new in the next`() {
    var snapshot = LevelSnapshot<VolumeLevel>()
    _ = replace(&snapshot, with: [("a", .muted)])
    #expect(replace(&snapshot, with: []).isEmpty)
    #expect(replace(&snapshot, with: [("a", .muted)]) == [change("a", nil, .muted)])
  }

  @Test func `of two entries for one attendee the last one counts`() {
    var snapshot = LevelSnapshot<VolumeLevel>()
    #expect(
      replace(&snapshot, with: [("a", .low), ("a", .high)]) == [change("a", nil, .high)])
  }
}
