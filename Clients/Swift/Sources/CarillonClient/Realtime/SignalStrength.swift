/// How good an attendee's connection is.
public enum SignalStrength: Int, CaseNamed {
  case none = 0
  case low = 1
  case high = 2
}
