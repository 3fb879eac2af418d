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

  /// 0 to 1; nil without a battery.
  func getBatteryLevel() -> NSNumber?

  func getBatteryState() -> BatteryState

  func isLowPowerModeEnabled() -> Bool

  func getNetworkConnectionType() -> NetworkConnectionType
}
