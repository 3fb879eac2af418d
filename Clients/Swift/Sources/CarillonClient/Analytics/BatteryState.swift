/// What the battery does.
public enum BatteryState: Int, Sendable {
  case charging = 0
  case discharging = 1
  case full = 2
  case unknown = 3

  /// Such as `Charging`.
  public var description: String {
    switch self {
    case .charging: "Charging"
    case .discharging: "Discharging"
    case .full: "Full"
    case .unknown: "Unknown"
    }
  }
}
