/// What encoders should keep when they must give something up. Passed on, never decided by.
///
/// The raw values are the facade's.
public enum VideoContentHint: Int32, CaseIterable, Hashable, Sendable {
  /// The publisher has no wish.
  case none = 0
  /// Frame rate first.
  case motion = 1
  /// Resolution first.
  case detail = 2
  /// Resolution first, sharp edges.
  case text = 3
}
