/// Hears the figures of the connection. All calls come on main.
public protocol MetricsObserver: AnyObject {
  /// The current figures, about once a second; the keys are `ObservableMetric`.
  func metricsDidReceive(metrics: [AnyHashable: Any])
}
