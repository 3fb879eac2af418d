public import ServiceHost

/// The metrics of every owner, `carillon_<service>_…`: requests, connections, refusals, stalls.
public struct MeetingOwnerMetrics {
  /// The counters of calls and connections of the request server.
  public let requests: RequestMetrics

  /// The counters of connections of event subscribers.
  public let subscriptions: SubscriptionMetrics

  /// Counts a request that failed with this error.
  let countRefusal: (any Error) -> Void

  private let stalls: Counter

  /// - Parameters:
  ///   - service: The name of the service, for example `video-tiles`.
  ///   - reasons: The labels of refusals.
  public init<Reason: RefusalReason>(
    of service: String, refusedFor reasons: Reason.Type, in registry: MetricsRegistry
  ) {
    let prefix = "carillon_" + service.map { $0 == "-" ? "_" : String($0) }.joined()
    requests = RequestMetrics(prefix + "_rpc", in: registry)
    subscriptions = SubscriptionMetrics(prefix + "_events", in: registry)
    let refusals = registry.counters(
      prefix + "_refusals_total", help: "Requests that were refused.", by: Reason.self)
    countRefusal = { refusals[Reason($0)].increment() }
    stalls = registry.counter(
      prefix + "_stalls_total",
      help:
        "Times that the process stood still, and therefore extended the deadlines of its peers.")
  }

  func countStall() { stalls.increment() }
}

/// A metric label that states the reason for a refusal.
public protocol RefusalReason: MetricLabel {
  /// Makes the label for an error; the label of an unknown error is `malformed`.
  init(_ error: any Error)
}

extension RefusalReason {
  public static var labelName: String { "reason" }
}
