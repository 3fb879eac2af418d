public import Bus
public import MeetingModel
internal import Synchronization
public import Wire

/// Counts what a request server does: calls by method and status with their durations, and what was
/// turned away.
///
/// `carillon_<service>_<face>_requests_seconds` by `method` and `status`,
/// `carillon_<service>_<face>_rejected_total` by `reason`, `…_undeliverable_total`,
/// `…_connections_total` by `event`: as many are open as were accepted and have not ended.
public final class RequestMetrics: RequestObserver {
  private let durations: MetricFamily<Histogram, CallLabels>
  private let rejected: MetricFamily<Counter, RejectedRequest>
  private let undeliverable: Counter
  private let connections: MetricFamily<Counter, ConnectionEvent>

  /// - Parameters:
  ///   - prefix: What every name begins with, for example `carillon_presence_rpc`.
  ///   - metrics: Where the process's metrics are kept.
  public init(_ prefix: String, in metrics: MetricsRegistry) {
    durations = metrics.histograms(
      prefix + "_request_duration_seconds", help: "Time from a request's arrival to its answer.",
      by: CallLabels.self)
    rejected = metrics.counters(
      prefix + "_rejected_total", help: "Requests that reached no handler.",
      by: RejectedRequest.self)
    undeliverable = metrics.counter(
      prefix + "_undeliverable_total", help: "Replies and items whose connection was gone.")
    connections = metrics.counters(
      prefix + "_connections_total", help: "What became of connections.",
      by: ConnectionEvent.self)
  }

  public func requestDidFinish(
    _ method: MethodDescription, _ code: StatusCode, after duration: Duration
  ) {
    durations[CallLabels(method: method, code: code)].observe(duration)
  }

  public func requestWasRejected(_ reason: RejectedRequest) { rejected[reason].increment() }

  public func replyWasUndeliverable() { undeliverable.increment() }

  public func connectionDidChange(_ event: ConnectionEvent) { connections[event].increment() }
}

/// A method and how it ended. Both sets are bounded by the contract.
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

extension RejectedRequest: MetricLabel {
  public static let labelName = "reason"
}
