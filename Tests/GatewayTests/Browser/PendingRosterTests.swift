import Bus
import MeetingModel
import Testing
import Wire

@testable import Gateway

@Suite struct PendingRosterTests {
  private func entry(_ id: String) -> V1.RosterEntry {
    .init(attendee: .init(attendeeID: id, externalUserID: id), joinedAtMs: 16_000)
  }

  private func change(_ id: String, _ state: V1.AttendeeState) -> RosterChange {
    .presence(
      .init(
        attendee: .init(attendeeID: id, externalUserID: id), state: state, joinedAtMs: 32_000,
        isMuteUnknown: state == .joined))
  }

  private func ids(_ held: PendingRoster) -> [String] {
    held.snapshot.entries.after(held.changes).compactMap(\.attendee?.attendeeID)
  }

  @Test
  func `a pending roster combines the snapshot with the changes, and records the last change`() {
    let items = (0..<3).map { _ in PackedSessionEvents(V1.SessionEvents()) }
    let snapshot = V1.RosterSnapshot(entries: [entry("a"), entry("b")])
    var held = PendingRoster(snapshot, of: items[0])
    held.take([change("a", .left), change("c", .joined)], of: items[1])
    held.take([], of: items[2])
    #expect(ids(held) == ["b", "c"])
    #expect(held.last === items[1])
  }

  @Test func `a pending roster stays small even after many changes`() {
    var held = PendingRoster(V1.RosterSnapshot(), of: PackedSessionEvents(V1.SessionEvents()))
    for number in 0..<5_000 {
      let id = "\(number)"
      held.take(
        [change(id, .joined), change(id, .left)], of: PackedSessionEvents(V1.SessionEvents()))
      #expect(held.changes.count + held.snapshot.entries.count <= 1_026)
    }
    #expect(ids(held).isEmpty)
  }

  @Test func `a mute change replaces the unknown state of a microphone`() {
    let muted = V1.MuteChange(attendeeID: "c", isMuted: true)
    let roster = [entry("a")].after([change("c", .joined)])
    #expect(roster.map(\.isMuteUnknown) == [false, true])
    let after = roster.after([.mute(muted)])
    #expect(after.map(\.isMuteUnknown) == [false, false] && after.map(\.isMuted) == [false, true])
  }
}
