/// How good an attendee's connection is, in the facade's steps.
public enum SignalStrength: Int32, CaseIterable, Hashable, Sendable {
  /// Nothing comes through.
  case none = 0
  /// The connection is weak.
  case low = 1
  /// The connection is good.
  case high = 2
}
