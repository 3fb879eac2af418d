/// How much a receiver wants a source: the group that it competes in. The raw values are the
/// facade's.
enum VideoPriority: UInt8, CaseIterable, Hashable, Sendable {
  /// The first to lose layers, the first to be paused.
  case lowest = 0
  case low = 10
  case medium = 20
  /// What sources have when nothing is said.
  case high = 30
  /// The last to lose anything.
  case highest = 40
}

extension VideoPriority: Comparable {
  static func < (left: VideoPriority, right: VideoPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}
