/// The priority of a source for a receiver. Sources of equal priority form a group, and groups
/// compete for bandwidth in the order of priority.
///
/// The raw values are those of the client libraries' facade.
public enum VideoPriority: Int32, CaseIterable, Hashable, Sendable {
  /// The group of videos from which the server takes layers first. The server also pauses these
  /// videos first.
  case lowest = 0
  /// The group above `lowest`.
  case low = 10
  /// The group between `low` and `high`.
  case medium = 20
  /// The group of sources for which the receiver sets no priority.
  case high = 30
  /// The group of videos from which the server takes layers last.
  case highest = 40
}

extension VideoPriority: Comparable {
  /// Returns whether `left` loses layers before `right`.
  public static func < (left: VideoPriority, right: VideoPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}
