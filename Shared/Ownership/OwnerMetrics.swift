public import ServiceHost

/// What every owner counts, as `carillon_<service>_…`: requests, connections, refusals and stalls.
public struct OwnerMetrics {
  /// Counts the calls and connections of the request server.
  public let requests: RequestMetrics

  /// Counts the connections of those who subscribe to events.
  public let subscriptions: SubscriptionMetrics

  /// Counts a request that failed so.
  let countRefusal: (any Error) -> Void

  private let stalls: Counter

  /// - Parameters:
  ///   - service: For example `video-tiles`.
  ///   - reasons: Tells refusals apart.
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
      prefix + "_stalls_total", help: "Times that the process stood still and excused others.")
  }

  func countStall() { stalls.increment() }
}

/// Why a request was refused, as a metric has it.
public protocol RefusalReason: MetricLabel {
  /// The reason behind an error; what is not foreseen counts as malformed.
  init(_ error: any Error)
}

extension RefusalReason {
  public static var labelName: String { "reason" }
}
