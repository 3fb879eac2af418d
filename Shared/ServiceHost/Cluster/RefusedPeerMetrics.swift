public import Bus
internal import Synchronization

/// The metrics of refused tcp peers: `carillon_<service>_refused_peers_total` by `cause`, and
/// `carillon_<service>_allow_list_errors`.
public final class RefusedPeerMetrics: Sendable {
  private let refusals: MetricFamily<Counter, PeerRefusalReason>
  private let faults: Gauge

  /// Registers the metrics. Call this initializer once in a process.
  public init(of host: Host) {
    let prefix = "carillon_" + host.service.map { $0 == "-" ? "_" : String($0) }.joined()
    refusals = host.metrics.counters(
      prefix + "_refused_peers_total", help: "Connections over tcp that were refused.",
      by: PeerRefusalReason.self)
    faults = host.metrics.gauge(
      prefix + "_allow_list_errors",
      help: "Unreadable lines of allowed.keys; -1 if the file itself is unreadable.")
  }

  /// Counts a refused peer.
  public func count(_ cause: PeerRefusalReason) { refusals[cause].increment() }

  func setFaults(_ count: Int) { faults.set(count) }

  /// The number of refused peers, by cause.
  var totals: [PeerRefusalReason: UInt64] {
    Dictionary(uniqueKeysWithValues: PeerRefusalReason.allCases.map { ($0, refusals[$0].value) })
  }
}

extension PeerRefusalReason: MetricLabel {
  public static let labelName = "cause"
}
