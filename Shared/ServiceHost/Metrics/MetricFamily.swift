internal import Synchronization

/// All series of one metric, distinguished by labels.
///
/// `requests[.join, .ok]` looks a series up. This lookup takes a lock and computes a hash. In
/// frequently called code, keep the result in a variable.
public final class MetricFamily<Metric: Sendable, Labels: MetricLabels>: Sendable {
  private let metrics = Mutex<[Labels: Metric]>([:])
  private let make: @Sendable (Labels) -> Metric

  init(make: @escaping @Sendable (Labels) -> Metric) {
    self.make = make
  }

  /// The series with these labels. The first use creates the series, and exposes it in `/metrics`.
  public subscript(_ labels: Labels) -> Metric {
    metrics.withLock { metrics in
      if let metric = metrics[labels] { return metric }
      let metric = make(labels)
      metrics[labels] = metric
      return metric
    }
  }

  /// The series with these two labels.
  public subscript<First, Second>(_ first: First, _ second: Second) -> Metric
  where Labels == LabelPair<First, Second> {
    self[LabelPair(first, second)]
  }
}
