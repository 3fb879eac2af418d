public import Bus

/// The metrics of subscribers of an event socket.
///
/// The metrics are `carillon_<service>_events_rejected_total` by `reason`, and
/// `carillon_<service>_events_connections_total` by `event`.
public final class SubscriptionMetrics: SocketEventObserver {
  private let rejected: MetricFamily<Counter, RequestRejectionReason>
  private let connections: MetricFamily<Counter, ConnectionEvent>

  /// - Parameters:
  ///   - prefix: The prefix of every name, for example `carillon_presence_events`.
  ///   - metrics: The registry of the process.
  public init(_ prefix: String, in metrics: MetricsRegistry) {
    rejected = metrics.counters(
      prefix + "_rejected_total", help: "Messages of subscribers that are not subscriptions.",
      by: RequestRejectionReason.self)
    connections = metrics.counters(
      prefix + "_connections_total", help: "Connections of subscribers, by event.",
      by: ConnectionEvent.self)
  }

  public func requestWasRejected(_ reason: RequestRejectionReason) { rejected[reason].increment() }

  public func connectionDidChange(_ event: ConnectionEvent) { connections[event].increment() }
}
