public import Bus
internal import Synchronization

/// Counts who is not let in over tcp, as `carillon_<service>_refused_peers_total` by `cause`.
public final class RefusalMetrics: Sendable {
  private let refusals: MetricFamily<Counter, RefusedPeer>
  private let faults: Gauge

  /// Metrics of a process, of which there is one set.
  public init(of host: Host) {
    let prefix = "carillon_" + host.service.map { $0 == "-" ? "_" : String($0) }.joined()
    refusals = host.metrics.counters(
      prefix + "_refused_peers_total", help: "Connections over tcp that were not let in.",
      by: RefusedPeer.self)
    faults = host.metrics.gauge(
      prefix + "_allow_list_faults",
      help: "Lines of allowed.keys that cannot be read; -1: the file cannot.")
  }

  /// Counts one.
  public func count(_ cause: RefusedPeer) { refusals[cause].increment() }

  func setFaults(_ count: Int) { faults.set(count) }

  /// What has been counted of each cause.
  var totals: [RefusedPeer: UInt64] {
    Dictionary(uniqueKeysWithValues: RefusedPeer.allCases.map { ($0, refusals[$0].value) })
  }
}

extension RefusedPeer: MetricLabel {
  public static let labelName = "cause"
}
