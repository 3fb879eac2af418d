import ServiceHost
import Storage

/// Metrics of the REST interface.
struct RESTMetrics: Sendable {
  /// The durations of requests, by operation and status.
  let requests: MetricFamily<Histogram, LabelPair<RESTOperation.Name, HTTPStatusCode>>

  /// Requests that the gateway rejected because of their size, without reading these requests.
  let oversized: Counter

  /// Requests that clients did not complete in time.
  let unfinished: Counter

  /// Connections that the gateway closed because too many connections were open from the same
  /// address.
  let crowdedOut: Counter

  /// Refused host tokens, by reason.
  let refusedHostTokens: MetricFamily<Counter, HostTokenRefusalReason>

  /// Knocks at locked meetings, and the answers to these knocks, by outcome.
  let knocks: MetricFamily<Counter, KnockOutcome>

  /// Requests for `/embed` whose query named an origin that the operator has not listed.
  let refusedEmbeddings: Counter

  /// Open connections.
  let connections: Gauge

  init(_ registry: MetricsRegistry) {
    requests = registry.histograms(
      "carillon_gateway_rest_request_duration_seconds",
      help: "Requests to the REST API, by operation and status.",
      by: LabelPair<RESTOperation.Name, HTTPStatusCode>.self)
    oversized = registry.counter(
      "carillon_gateway_rest_oversized_requests_total",
      help: "Requests to the REST API whose bodies exceeded the limit.")
    unfinished = registry.counter(
      "carillon_gateway_rest_unfinished_requests_total",
      help: "Requests to the REST API that were incomplete at the timeout or were aborted.")
    crowdedOut = registry.counter(
      "carillon_gateway_rest_evicted_connections_total",
      help: "Connections to the REST API that were closed because their address had too many.")
    refusedHostTokens = registry.counters(
      "carillon_gateway_rest_refused_host_tokens_total",
      help: "Host tokens that the gateway refused, by reason.", by: HostTokenRefusalReason.self)
    knocks = registry.counters(
      "carillon_gateway_rest_knocks_total",
      help: "Knocks at locked meetings and their answers, by outcome.", by: KnockOutcome.self)
    refusedEmbeddings = registry.counter(
      "carillon_gateway_rest_refused_embeddings_total",
      help: "Requests for /embed that named an origin outside --web-embed-origins.")
    connections = registry.gauge(
      "carillon_gateway_rest_connections", help: "Open connections to the REST API.")
  }
}

/// The reason why the gateway refused a host token.
enum HostTokenRefusalReason: String, MetricLabel {
  static let labelName = "reason"

  case forged
  case otherKey = "other_key"
  case expired
  case otherMeeting = "other_meeting"

  init(_ refusal: HostTokenRefusal) {
    self =
      switch refusal {
      case .forged: .forged
      case .otherKey: .otherKey
      case .expired: .expired
      case .otherMeeting: .otherMeeting
      }
  }
}
