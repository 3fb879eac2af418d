/// How much a receiver wants a source: the group that it competes in. The raw values are the
/// facade's.
public enum VideoPriority: Int32, CaseIterable, Hashable, Sendable {
  /// The first to lose layers, the first to be paused.
  case lowest = 0
  /// Above `lowest`.
  case low = 10
  /// The third of the five groups.
  case medium = 20
  /// What sources have when nothing is said.
  case high = 30
  /// The last to lose anything.
  case highest = 40
}

extension VideoPriority: Comparable {
  /// Whether `left` loses layers before `right` does.
  public static func < (left: VideoPriority, right: VideoPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}
