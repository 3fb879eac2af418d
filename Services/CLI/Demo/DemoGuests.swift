/// Who comes to the demo's meeting beside its cast, and what must be heard of them.
struct DemoGuests: Hashable, Sendable {
  private var changes: [String: [ClientEvent.Change]] = [:]

  /// From now on, all of the cast must have heard just this of a guest.
  mutating func expect(_ changes: [ClientEvent.Change], of attendeeID: String) {
    self.changes[attendeeID] = changes
  }

  /// How often guests changed so.
  func count(of change: ClientEvent.Change) -> Int {
    changes.values.joined().count { $0 == change }
  }

  /// What must have been heard of everybody, when all of the cast are there still.
  func changes(beside cast: DemoCast) -> [String: [ClientEvent.Change]] {
    cast.clients.reduce(into: changes) { $0[$1.attendeeID] = [.joined] }
  }
}
