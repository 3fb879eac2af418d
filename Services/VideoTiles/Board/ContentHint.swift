/// What encoders should keep when they must give something up. Passed on, never decided by.
enum ContentHint: Hashable, Sendable {
  case none
  /// Frame rate first.
  case motion
  /// Resolution first.
  case detail
  /// Resolution first, sharp edges.
  case text
}
