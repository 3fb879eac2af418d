/// How good an attendee's connection is, in the facade's steps.
public enum SignalStrength: Int32, CaseIterable, Hashable, Sendable {
  case none = 0
  case low = 1
  case high = 2
}
