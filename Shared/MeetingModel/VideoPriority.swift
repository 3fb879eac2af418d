/// The priority of a source for a receiver. Sources of equal priority form a group, and groups
/// compete for bandwidth in the order of priority.
///
/// The raw values are the facade's.
public enum VideoPriority: Int32, CaseIterable, Hashable, Sendable {
  /// The group whose videos lose layers first and are paused first.
  case lowest = 0
  /// The group above `lowest`.
  case low = 10
  /// The third of the five groups.
  case medium = 20
  /// The default of sources.
  case high = 30
  /// The group that loses layers last.
  case highest = 40
}

extension VideoPriority: Comparable {
  /// Returns whether `left` loses layers before `right`.
  public static func < (left: VideoPriority, right: VideoPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}
