internal import Synchronization

/// All metrics of a process, and their text for `/metrics`.
///
/// Names are `carillon_<service>_<noun>_<unit>`. Counters end in `_total`, durations in `_seconds`.
/// A repeated request for the same name and labels returns the same series. A name that violates
/// the rules of Prometheus, or belongs to another kind of metric, is a programming error and stops
/// the process.
public final class MetricsRegistry: Sendable {
  /// The series of one name.
  struct Entry {
    let help: String
    let kind: MetricSeries.Kind
    var series: [RenderedLabels: MetricSeries] = [:]
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// Makes a registry without metrics.
  public init() {}

  // MARK: - Counters

  /// Returns a counter without labels.
  public func counter(_ name: String, help: String) -> Counter {
    counter(name, help: help, labels: .none)
  }

  /// Returns counters with labels. With a single label, `/metrics` contains all series from the
  /// start, at zero.
  public func counters<Labels: MetricLabels>(
    _ name: String, help: String, by labels: Labels.Type
  ) -> MetricFamily<Counter, Labels> {
    family(by: labels) { [self] in counter(name, help: help, labels: $0) }
  }

  /// Registers a counter whose value other code keeps.
  ///
  /// - Parameter sample: Returns the value. Called for every scrape, on any thread. The closure
  ///   must be quick and must not block.
  public func counter(_ name: String, help: String, sample: @escaping @Sendable () -> UInt64) {
    _ = register(name, help: help, labels: .none) { .sampledCounter(sample) }
  }

  /// Returns a counter of time without labels. The counter's name ends in `_seconds_total`.
  public func durationCounter(_ name: String, help: String) -> DurationCounter {
    guard
      case .durationCounter(let counter)? = register(
        name, help: help, labels: .none, make: { .durationCounter(DurationCounter()) })
    else { Self.stopForConflict(name) }
    return counter
  }

  /// Registers a counter of time whose value other code keeps. The counter's name ends in
  /// `_seconds_total`.
  ///
  /// - Parameter sample: Returns seconds. Called for every scrape, on any thread. The closure must
  ///   be quick and must not block.
  public func durationCounter(
    _ name: String, help: String, sample: @escaping @Sendable () -> Double
  ) {
    _ = register(name, help: help, labels: .none) { .sampledDurationCounter(sample) }
  }

  // MARK: - Gauges

  /// Returns a gauge without labels.
  public func gauge(_ name: String, help: String) -> Gauge {
    gauge(name, help: help, labels: .none)
  }

  /// Returns gauges with labels. With a single label, `/metrics` contains all series from the
  /// start, at zero.
  public func gauges<Labels: MetricLabels>(
    _ name: String, help: String, by labels: Labels.Type
  ) -> MetricFamily<Gauge, Labels> {
    family(by: labels) { [self] in gauge(name, help: help, labels: $0) }
  }

  /// Registers a gauge whose value a closure measures for each scrape, such as the depth of a
  /// queue.
  ///
  /// - Parameter sample: Returns the value. Called for every scrape, on any thread. The closure
  ///   must be quick and must not block.
  public func gauge(_ name: String, help: String, sample: @escaping @Sendable () -> Double) {
    _ = register(name, help: help, labels: .none) { .sampledGauge(sample) }
  }

  // MARK: - Histograms

  /// Returns a histogram of durations without labels. The histogram's name ends in `_seconds`.
  public func histogram(_ name: String, help: String) -> Histogram {
    histogram(name, help: help, labels: .none)
  }

  /// Returns histograms of durations with labels.
  ///
  /// With a single label, `/metrics` contains all series from the start.
  public func histograms<Labels: MetricLabels>(
    _ name: String, help: String, by labels: Labels.Type
  ) -> MetricFamily<Histogram, Labels> {
    family(by: labels) { [self] in histogram(name, help: help, labels: $0) }
  }

  // MARK: - Text

  /// Returns all metrics in version 0.0.4 of the Prometheus text format, in order of names and
  /// labels.
  public func prometheusText() -> String {
    // This code takes samples outside the lock, because taking a sample runs code of other modules.
    let snapshot = entries.withLock { $0 }
    var text = ""
    for (name, entry) in snapshot.sorted(by: { $0.key < $1.key }) {
      PrometheusText.append(name, entry, to: &text)
    }
    return text
  }

  // MARK: - Registering

  private func counter(_ name: String, help: String, labels: RenderedLabels) -> Counter {
    guard
      case .counter(let counter)? = register(
        name, help: help, labels: labels, make: { .counter(Counter()) })
    else { Self.stopForConflict(name) }
    return counter
  }

  private func gauge(_ name: String, help: String, labels: RenderedLabels) -> Gauge {
    guard
      case .gauge(let gauge)? = register(
        name, help: help, labels: labels, make: { .gauge(Gauge()) })
    else { Self.stopForConflict(name) }
    return gauge
  }

  private func histogram(_ name: String, help: String, labels: RenderedLabels) -> Histogram {
    guard
      case .histogram(let histogram)? = register(
        name, help: help, labels: labels, make: { .histogram(Histogram()) })
    else { Self.stopForConflict(name) }
    return histogram
  }

  private func family<Metric: Sendable, Labels: MetricLabels>(
    by labels: Labels.Type, make: @escaping @Sendable (RenderedLabels) -> Metric
  ) -> MetricFamily<Metric, Labels> {
    let family = MetricFamily<Metric, Labels> { make(RenderedLabels($0.pairs)) }
    if let label = labels as? any MetricLabel.Type {
      func showAll<Label: MetricLabel>(_ label: Label.Type) {
        for value in Label.allCases {
          if let labels = value as? Labels { _ = family[labels] }
        }
      }
      showAll(label)
    }
    return family
  }

  private static func stopForConflict(_ name: String) -> Never {
    preconditionFailure("\(name) is already another kind of metric.")
  }

  /// Finds or makes one series.
  ///
  /// - Returns: The series, or `nil` if the name belongs to another kind of metric.
  func register(
    _ name: String, help: String, labels: RenderedLabels, make: () -> MetricSeries
  ) -> MetricSeries? {
    precondition(MetricNameRules.isValid(name), "\(name) cannot be the name of a metric.")
    return entries.withLock { entries in
      if let existing = entries[name]?.series[labels] { return existing }
      let instrument = make()
      let kind = entries[name]?.kind ?? instrument.kind
      guard kind == instrument.kind else { return nil }
      entries[name, default: Entry(help: help, kind: kind)].series[labels] = instrument
      return instrument
    }
  }
}
