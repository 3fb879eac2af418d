/// Hears what a monitor of the process sees.
public protocol AppStateMonitorDelegate: AnyObject {
  func appStateDidChange(monitor: any AppStateMonitor, newAppState: AppState)

  func didReceiveMemoryWarning(monitor: any AppStateMonitor)

  func networkConnectionTypeDidChange(
    monitor: any AppStateMonitor, newNetworkConnectionType: NetworkConnectionType)
}
