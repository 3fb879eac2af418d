/// How the machine is connected.
public enum NetworkConnectionType: Int, Sendable {
  case wifi = 0
  case cellular = 1
  case wiredEthernet = 2
  case other = 3
  case none = 4
  case unknown = 5

  /// Such as `Wifi`.
  public var description: String {
    switch self {
    case .wifi: "Wifi"
    case .cellular: "Cellular"
    case .wiredEthernet: "Ethernet"
    case .other: "Other"
    case .none: "None"
    case .unknown: "Unknown"
    }
  }
}
