import Bus
import Wire

/// The roster that a browser has not been shown yet: the last snapshot, and what came behind it.
struct PendingRoster {
  private(set) var snapshot = V1.RosterSnapshot()
  private(set) var changes: [RosterChange] = []

  /// The last item that is contained. All for whom it is the same one have the same roster.
  private(set) var last: SharedItem

  /// Changes that are kept before the snapshot takes them in.
  private static let mostChanges = 1_024

  /// - Parameter item: What the snapshot came with.
  init(_ snapshot: V1.RosterSnapshot, of item: SharedItem) {
    (self.snapshot, last) = (snapshot, item)
  }

  /// Some changes came with an item.
  mutating func take(_ more: [RosterChange], of item: SharedItem) {
    guard !more.isEmpty else { return }
    changes += more
    last = item
    guard changes.count > Self.mostChanges else { return }
    snapshot.entries = snapshot.entries.after(changes)
    changes = []
  }
}
