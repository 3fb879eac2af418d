internal import MeetingViews

/// Who comes to the demo's meeting beside its cast, and what must be heard of them.
struct DemoGuests: Hashable, Sendable {
  private var changes: [String: [ClientEvent.Change]] = [:]

  /// Demands that all of the cast hear just this of a guest from now on.
  mutating func expect(_ changes: [ClientEvent.Change], of attendeeID: String) {
    self.changes[attendeeID] = changes
  }

  /// How often guests changed so.
  func count(of change: ClientEvent.Change) -> Int {
    changes.values.joined().count { $0 == change }
  }

  /// What must have been heard of everybody, when all of the cast are there still.
  func changes(beside cast: WatchedGroup) -> [String: [ClientEvent.Change]] {
    cast.clients.reduce(into: changes) { $0[$1.attendeeID] = [.joined] }
  }
}
