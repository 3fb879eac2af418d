internal import CoreMetrics

/// A swift-metrics factory that registers the metrics of other libraries in Carillon's registry.
///
/// The factory makes each name valid, and adds the suffix for the kind of the metric: a counter
/// `http.requests` becomes `http_requests_total`, and a timer `http.request.duration` becomes
/// `http_request_duration_seconds`. If a name conflicts with a metric of another kind, `/metrics`
/// does not contain the new metric.
struct RegistryMetricsFactory: MetricsFactory {
  let registry: MetricsRegistry

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    let name = Self.name(label, suffix: "_total")
    let made = registry.register(name, help: help(label), labels: labels(dimensions)) {
      .counter(Counter())
    }
    guard case .counter(let counter)? = made else { return NOOPMetricsHandler.instance }
    return CounterBridge(counter: counter)
  }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    guard let gauge = gauge(label, dimensions) else { return NOOPMetricsHandler.instance }
    return GaugeBridge(gauge: gauge)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    guard aggregate else {
      guard let gauge = gauge(label, dimensions) else { return NOOPMetricsHandler.instance }
      return GaugeBridge(gauge: gauge)
    }
    let made = registry.register(
      Self.name(label, suffix: ""), help: help(label), labels: labels(dimensions)
    ) { .summary(SummaryMetric()) }
    guard case .summary(let summary)? = made else { return NOOPMetricsHandler.instance }
    return SwiftMetricsSummaryHandler(summary: summary)
  }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    let name = Self.name(label, suffix: "_seconds")
    let made = registry.register(name, help: help(label), labels: labels(dimensions)) {
      .histogram(Histogram())
    }
    guard case .histogram(let histogram)? = made else { return NOOPMetricsHandler.instance }
    return HistogramBridge(histogram: histogram)
  }

  // The registry keeps a series until the process ends, because Prometheus expects that counters do
  // not disappear.
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}

  private func gauge(_ label: String, _ dimensions: [(String, String)]) -> Gauge? {
    let made = registry.register(
      Self.name(label, suffix: ""), help: help(label), labels: labels(dimensions)
    ) { .gauge(Gauge()) }
    guard case .gauge(let gauge)? = made else { return nil }
    return gauge
  }

  private func help(_ label: String) -> String {
    "\(label), as a library reports it."
  }

  private func labels(_ dimensions: [(String, String)]) -> RenderedLabels {
    RenderedLabels(
      dimensions.map { name, value in
        let word = MetricNameRules.sanitized(name)
        return (MetricNameRules.isValidLabel(word) ? word : "label_\(word)", value)
      })
  }

  private static func name(_ label: String, suffix: String) -> String {
    let word = MetricNameRules.sanitized(label)
    return word.hasSuffix(suffix) ? word : word + suffix
  }
}

private final class CounterBridge: CounterHandler {
  private let counter: Counter
  init(counter: Counter) { self.counter = counter }
  func increment(by amount: Int64) { counter.increment(by: UInt64(max(0, amount))) }
  func reset() { counter.reset() }
}

private final class GaugeBridge: MeterHandler, RecorderHandler {
  private let gauge: Gauge
  init(gauge: Gauge) { self.gauge = gauge }
  func set(_ value: Int64) { gauge.set(Double(value)) }
  func set(_ value: Double) { gauge.set(value) }
  func increment(by amount: Double) { gauge.add(amount) }
  func decrement(by amount: Double) { gauge.add(-amount) }
  func record(_ value: Int64) { gauge.set(Double(value)) }
  func record(_ value: Double) { gauge.set(value) }
}

private final class SwiftMetricsSummaryHandler: RecorderHandler {
  private let summary: SummaryMetric
  init(summary: SummaryMetric) { self.summary = summary }
  func record(_ value: Int64) { summary.record(Double(value)) }
  func record(_ value: Double) { summary.record(value) }
}

private final class HistogramBridge: TimerHandler {
  private let histogram: Histogram
  init(histogram: Histogram) { self.histogram = histogram }
  func recordNanoseconds(_ duration: Int64) {
    histogram.observe(nanoseconds: UInt64(max(0, duration)))
  }
}
