public import Foundation

/// Says how the process and the machine fare.
public protocol AppStateMonitor: AnyObject {
  /// Who is told of changes while the monitor runs.
  var delegate: (any AppStateMonitorDelegate)? { get set }

  /// How the process fares.
  var appState: AppState { get }

  /// Begins; tells the delegate the current state at once.
  func start()

  /// Ends.
  func stop()

  /// How full the battery is, 0 to 1; nil without one.
  func getBatteryLevel() -> NSNumber?

  /// What the battery does; `unknown` without one.
  func getBatteryState() -> BatteryState

  /// Whether the machine saves power at the cost of speed; always false on Linux.
  func isLowPowerModeEnabled() -> Bool

  /// How the machine is connected now.
  func getNetworkConnectionType() -> NetworkConnectionType
}

/// Hears what a monitor of the process sees.
public protocol AppStateMonitorDelegate: AnyObject {
  /// The process is in another state. It is also called by each start of the monitor, with the
  /// state of then.
  func appStateDidChange(monitor: any AppStateMonitor, newAppState: AppState)

  /// The machine is short of memory.
  func didReceiveMemoryWarning(monitor: any AppStateMonitor)

  /// The machine is connected in another way than before.
  func networkConnectionTypeDidChange(
    monitor: any AppStateMonitor, newNetworkConnectionType: NetworkConnectionType)
}

/// How the process fares.
public enum AppState: Int, Sendable, CustomStringConvertible {
  /// The program is in use.
  case active = 0
  /// The program is being left or resumed. It is never reported on Linux.
  case inactive = 1
  /// The program has come to the front. It is never reported on Linux.
  case foreground = 2
  /// The program runs unseen. It is never reported on Linux.
  case background = 3
  /// The program is about to end.
  case terminated = 4
  /// No other case fits.
  case other = 5

  /// The word that events have for it, such as `Active`.
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

/// What the battery does.
public enum BatteryState: Int, Sendable, CustomStringConvertible {
  /// The battery is being charged.
  case charging = 0
  /// The machine runs on its battery.
  case discharging = 1
  /// The battery is full.
  case full = 2
  /// The machine has no battery, or does not tell.
  case unknown = 3

  /// The word that events have for it, such as `Charging`.
  public var description: String {
    switch self {
    case .charging: "Charging"
    case .discharging: "Discharging"
    case .full: "Full"
    case .unknown: "Unknown"
    }
  }
}

/// How the machine is connected.
public enum NetworkConnectionType: Int, Sendable, CustomStringConvertible {
  /// The machine uses a wireless local network.
  case wifi = 0
  /// The machine uses a mobile network.
  case cellular = 1
  /// The machine uses a cable.
  case wiredEthernet = 2
  /// The machine is connected in some other way.
  case other = 3
  /// The machine is not connected.
  case none = 4
  /// The system does not tell how the machine is connected.
  case unknown = 5

  /// The word that events have for it, such as `Wifi`.
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
