import Foundation
import Synchronization

/// A monitor that reads the state of the machine from Linux on each call.
///
/// The monitor always reports the process as active. It does not report changes of network or
/// memory.
final class DefaultAppStateMonitor: AppStateMonitor, Sendable {
  /// A weak reference to the delegate.
  ///
  /// `@unchecked Sendable` because this type reads and sets the reference only under the mutex.
  private struct WeakDelegate: @unchecked Sendable {
    weak var value: (any AppStateMonitorDelegate)?
  }

  private let root: String
  private let weakDelegate = Mutex(WeakDelegate())

  /// - Parameter root: The directory that contains `/sys` and `/proc`.
  init(root: String = "") {
    self.root = root
  }

  var delegate: (any AppStateMonitorDelegate)? {
    get { weakDelegate.withLock { MainQueueBox(value: $0.value) }.value }
    set {
      let delegate = WeakDelegate(value: newValue)
      weakDelegate.withLock { $0 = delegate }
    }
  }

  var appState: AppState { .active }

  func start() {
    delegate?.appStateDidChange(monitor: self, newAppState: appState)
  }

  func stop() {}

  func getBatteryLevel() -> NSNumber? {
    guard let percent = battery.flatMap({ text("\($0)/capacity") }).flatMap(Float.init) else {
      return nil
    }
    return NSNumber(value: percent / 100)
  }

  func getBatteryState() -> BatteryState {
    switch battery.flatMap({ text("\($0)/status") }) {
    case "Charging": .charging
    case "Discharging": .discharging
    case "Full", "Not charging": .full
    default: .unknown
    }
  }

  /// Returns `false`, because Linux has no low-power mode.
  func isLowPowerModeEnabled() -> Bool { false }

  func getNetworkConnectionType() -> NetworkConnectionType {
    guard let routes = text("/proc/net/route") else { return .unknown }
    let defaultRoute = routes.split(separator: "\n").dropFirst()
      .map { $0.split(whereSeparator: \.isWhitespace) }
      .first { $0.count > 1 && $0[1] == "00000000" }
    guard let interface = defaultRoute?.first else { return .none }
    if exists("/sys/class/net/\(interface)/wireless") { return .wifi }
    if interface.hasPrefix("ww") { return .cellular }
    return interface.hasPrefix("e") ? .wiredEthernet : .other
  }

  private var battery: String? {
    let directory = "/sys/class/power_supply"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root + directory)) ?? []
    return names.sorted().map { "\(directory)/\($0)" }.first { text("\($0)/type") == "Battery" }
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root + path)
  }

  private func text(_ path: String) -> String? {
    try? String(contentsOfFile: root + path, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
