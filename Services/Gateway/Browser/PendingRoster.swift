import Bus
import Wire

/// The roster that a browser has not received yet: the last snapshot and the changes after this
/// snapshot.
struct PendingRoster {
  private(set) var snapshot = V1.RosterSnapshot()
  private(set) var changes: [RosterChange] = []

  /// The last item that the roster includes. Connections with the same last item have the same
  /// roster.
  private(set) var last: PackedSessionEvents

  /// The maximum number of separate changes. When there are more, the value merges all changes into
  /// the snapshot.
  private static let mostChanges = 1_024

  /// - Parameter item: The item that carried the snapshot.
  init(_ snapshot: V1.RosterSnapshot, of item: PackedSessionEvents) {
    (self.snapshot, last) = (snapshot, item)
  }

  /// Adds the changes of an item.
  mutating func take(_ more: [RosterChange], of item: PackedSessionEvents) {
    guard !more.isEmpty else { return }
    changes += more
    last = item
    guard changes.count > Self.mostChanges else { return }
    snapshot.entries = snapshot.entries.after(changes)
    changes = []
  }
}
