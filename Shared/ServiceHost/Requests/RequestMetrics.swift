public import Bus
public import MeetingModel
internal import Synchronization
public import Wire

/// The metrics of a request server: the number and the durations of calls by method and status, and
/// the number of rejected requests.
///
/// The metrics are `<prefix>_request_duration_seconds` by `method` and `status`,
/// `<prefix>_rejected_total` by `reason`, `<prefix>_undeliverable_total`, and
/// `<prefix>_connections_total` by `event`. The number of open connections is the number of
/// accepted connections minus the number of ended connections.
public final class RequestMetrics: RequestObserver {
  private let durations: MetricFamily<Histogram, CallLabels>
  private let rejected: MetricFamily<Counter, RequestRejectionReason>
  private let undeliverable: Counter
  private let connections: MetricFamily<Counter, ConnectionEvent>

  /// - Parameters:
  ///   - prefix: The prefix of every name, for example `carillon_presence_rpc`.
  ///   - metrics: The registry of the process.
  public init(_ prefix: String, in metrics: MetricsRegistry) {
    durations = metrics.histograms(
      prefix + "_request_duration_seconds", help: "Time from a request's arrival to its answer.",
      by: CallLabels.self)
    rejected = metrics.counters(
      prefix + "_rejected_total", help: "Requests that were refused before they reached a handler.",
      by: RequestRejectionReason.self)
    undeliverable = metrics.counter(
      prefix + "_undeliverable_total",
      help: "Replies and stream items that were dropped because their connection had closed.")
    connections = metrics.counters(
      prefix + "_connections_total", help: "Connections, by event.",
      by: ConnectionEvent.self)
  }

  public func requestDidFinish(
    _ method: MethodDescription, _ code: StatusCode, after duration: Duration
  ) {
    durations[CallLabels(method: method, code: code)].observe(duration)
  }

  public func requestWasRejected(_ reason: RequestRejectionReason) { rejected[reason].increment() }

  public func replyWasUndeliverable() { undeliverable.increment() }

  public func connectionDidChange(_ event: ConnectionEvent) { connections[event].increment() }
}

/// A method and a status. The contract limits the number of methods and the number of statuses.
struct CallLabels: MetricLabels {
  let method: MethodDescription
  let code: StatusCode

  var pairs: [(name: String, value: String)] {
    let name = method.name.split(separator: ".").last ?? ""
    return [("method", String(name)), ("status", "\(code)")]
  }
}

extension ConnectionEvent: MetricLabel {
  public static let labelName = "event"
}

extension RequestRejectionReason: MetricLabel {
  public static let labelName = "reason"
}
