/// One series of a metric: the object that stores the value of the series, or the closure that
/// samples the value.
enum MetricSeries: Sendable {
  case counter(Counter)
  case sampledCounter(@Sendable () -> UInt64)
  case durationCounter(DurationCounter)
  /// The sample is in seconds.
  case sampledDurationCounter(@Sendable () -> Double)
  case gauge(Gauge)
  case sampledGauge(@Sendable () -> Double)
  case histogram(Histogram)
  case summary(SummaryMetric)

  /// The kind of a metric, by its name in Prometheus.
  enum Kind: String {
    case counter, gauge, histogram, summary
  }

  var kind: Kind {
    switch self {
    case .counter, .sampledCounter, .durationCounter, .sampledDurationCounter: .counter
    case .gauge, .sampledGauge: .gauge
    case .histogram: .histogram
    case .summary: .summary
    }
  }
}

/// Rendered labels: `{method="join",status="ok"}`, or nothing.
struct RenderedLabels: Hashable, Comparable {
  /// The escaped text, without the braces.
  let text: String

  static let none = RenderedLabels([])

  init(_ pairs: [(name: String, value: String)]) {
    for (name, _) in pairs {
      precondition(MetricNameRules.isValidLabel(name), "\(name) cannot be the name of a label.")
    }
    text = pairs.map { "\($0.name)=\"\(PrometheusText.escapedLabelValue($0.value))\"" }
      .joined(separator: ",")
  }

  static func < (left: RenderedLabels, right: RenderedLabels) -> Bool {
    left.text < right.text
  }
}
