public import Foundation

/// A monitor of the state of the process and of the machine.
public protocol AppStateMonitor: AnyObject {
  /// The receiver of changes while the monitor runs.
  var delegate: (any AppStateMonitorDelegate)? { get set }

  /// The state of the process.
  var appState: AppState { get }

  /// Starts the monitor, and immediately reports the current state to the delegate.
  func start()

  /// Stops the monitor.
  func stop()

  /// Returns the charge of the battery, from 0 to 1; `nil` if the machine has no battery.
  func getBatteryLevel() -> NSNumber?

  /// Returns the state of the battery; `unknown` if the machine has no battery.
  func getBatteryState() -> BatteryState

  /// Returns whether the machine saves power at the cost of speed; always false on Linux.
  func isLowPowerModeEnabled() -> Bool

  /// Returns the type of the machine's network connection.
  func getNetworkConnectionType() -> NetworkConnectionType
}

/// The receiver of the changes that a monitor detects.
public protocol AppStateMonitorDelegate: AnyObject {
  /// The state of the process changed.
  ///
  /// Also called at each start of the monitor, with the current state.
  func appStateDidChange(monitor: any AppStateMonitor, newAppState: AppState)

  /// The machine is short of memory.
  func didReceiveMemoryWarning(monitor: any AppStateMonitor)

  /// The type of the machine's network connection changed.
  func networkConnectionTypeDidChange(
    monitor: any AppStateMonitor, newNetworkConnectionType: NetworkConnectionType)
}

/// The states of the process.
public enum AppState: Int, Sendable, CustomStringConvertible {
  /// The program is in use.
  case active = 0
  /// The user is leaving or resuming the program. Linux never reports this state.
  case inactive = 1
  /// The program moved to the foreground. Linux never reports this state.
  case foreground = 2
  /// The program runs in the background. Linux never reports this state.
  case background = 3
  /// The program is about to end.
  case terminated = 4
  /// No other case fits.
  case other = 5

  /// The name of the state in events, such as `Active`.
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

/// The states of the battery.
public enum BatteryState: Int, Sendable, CustomStringConvertible {
  /// The battery is charging.
  case charging = 0
  /// The machine runs on its battery.
  case discharging = 1
  /// The battery is full.
  case full = 2
  /// The machine has no battery, or does not report the battery's state.
  case unknown = 3

  /// The name of the state in events, such as `Charging`.
  public var description: String {
    switch self {
    case .charging: "Charging"
    case .discharging: "Discharging"
    case .full: "Full"
    case .unknown: "Unknown"
    }
  }
}

/// The types of the machine's network connection.
public enum NetworkConnectionType: Int, Sendable, CustomStringConvertible {
  /// The machine uses a wireless local network.
  case wifi = 0
  /// The machine uses a mobile network.
  case cellular = 1
  /// The machine uses a wired network.
  case wiredEthernet = 2
  /// The machine uses another kind of connection.
  case other = 3
  /// The machine is not connected.
  case none = 4
  /// The system does not report the type of the connection.
  case unknown = 5

  /// The name of the type in events, such as `Wifi`.
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
