internal import MeetingViews

/// The attendees who join the demo's meeting beside its cast, and the events expected about them.
struct DemoGuests: Hashable, Sendable {
  private var changes: [String: [ClientEvent.Change]] = [:]

  /// Requires that all of the cast receive exactly these changes of a guest.
  mutating func expect(_ changes: [ClientEvent.Change], of attendeeID: String) {
    self.changes[attendeeID] = changes
  }

  /// Returns how often the guests make a change.
  func count(of change: ClientEvent.Change) -> Int {
    changes.values.joined().count { $0 == change }
  }

  /// Returns the changes expected of all attendees while the whole cast is still present.
  func changes(beside cast: WatchedGroup) -> [String: [ClientEvent.Change]] {
    cast.clients.reduce(into: changes) { $0[$1.attendeeID] = [.joined] }
  }
}
