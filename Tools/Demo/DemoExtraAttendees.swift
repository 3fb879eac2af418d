internal import MeetingViews

/// The attendees who join the demo's meeting in addition to the demo's cast, and the expected
/// events about these attendees.
struct DemoExtraAttendees: Hashable, Sendable {
  private var changes: [String: [ObservedEvent.Change]] = [:]

  /// Requires that all clients of the cast receive exactly the given changes of an extra attendee.
  mutating func expect(_ changes: [ObservedEvent.Change], of attendeeID: String) {
    self.changes[attendeeID] = changes
  }

  /// Returns how many times the extra attendees make a change.
  func count(of change: ObservedEvent.Change) -> Int {
    changes.values.joined().count { $0 == change }
  }

  /// Returns the expected changes of all attendees, by attendee id, while the whole cast is still
  /// present.
  func changes(beside cast: ObservedClientGroup) -> [String: [ObservedEvent.Change]] {
    cast.clients.reduce(into: changes) { $0[$1.attendeeID] = [.joined] }
  }
}
