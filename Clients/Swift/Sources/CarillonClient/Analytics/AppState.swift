/// How the process fares.
public enum AppState: Int, Sendable {
  case active = 0
  case inactive = 1
  case foreground = 2
  case background = 3
  case terminated = 4
  case other = 5

  /// Such as `Active`.
  public var description: String {
    switch self {
    case .active: "Active"
    case .inactive: "Inactive"
    case .foreground: "Foreground"
    case .background: "Background"
    case .terminated: "Terminated"
    case .other: "Other"
    }
  }
}
