/// The quality of an attendee's connection, in the levels of the client libraries' facade.
public enum SignalStrength: Int32, CaseIterable, Hashable, Sendable {
  /// No data arrives.
  case none = 0
  /// The connection is weak.
  case low = 1
  /// The connection is good.
  case high = 2
}
