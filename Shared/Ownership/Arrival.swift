/// How a session comes to its owner.
public enum Arrival: Hashable, Sendable {
  /// A client opened it.
  case start

  /// A client says that it had it before.
  case resume

  /// A gateway has it and tells an owner that does not know.
  case announcement

  /// A replica's session acts in its primary from now on.
  case promotion
}
