import Synchronization

/// The metrics of a session and of its content share, and the observers of these metrics.
///
/// The collector keeps the newest report of each ``Input``. After a report, the observers receive
/// all metrics if more than a second has passed since the last notification. Without reports, the
/// observers receive nothing.
final class MetricsCollector: Sendable {
  enum Input: Hashable, Sendable {
    case session
    case content
  }

  private struct State {
    var figures: [Input: [ObservableMetric: Double]] = [:]
    var lastReportedMs: Int64
  }

  let observers = ObserverRegistry<any MetricsObserver>()
  private let uptimeMs: @Sendable () -> Int64
  private let state: Mutex<State>

  private static let intervalMs: Int64 = 1000

  init(uptimeMs: @escaping @Sendable () -> Int64) {
    self.uptimeMs = uptimeMs
    state = Mutex(State(lastReportedMs: uptimeMs()))
  }

  /// Stores a report, and notifies the observers if more than a second has passed since the last
  /// notification.
  func take(_ figures: [ObservableMetric: Double], from input: Input) {
    let now = uptimeMs()
    state.withLock { state in
      state.figures[input] = figures
      guard now - state.lastReportedMs > Self.intervalMs else { return }
      state.lastReportedMs = now
      let all = state.figures.values.reduce(into: [:]) { $0.merge($1) { $1 } }
      observers.post { $0.metricsDidReceive(metrics: all) }
    }
  }

  /// Removes the metrics of an input that has ended.
  func forget(_ input: Input) {
    state.withLock { $0.figures[input] = nil }
  }
}
