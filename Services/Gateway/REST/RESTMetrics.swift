import ServiceHost

/// Metrics of the REST interface.
struct RESTMetrics: Sendable {
  /// Requests with their durations.
  let requests: MetricFamily<Histogram, LabelPair<RESTOperation.Name, HTTPStatusCode>>

  /// Requests refused for their size, before they were read.
  let oversized: Counter

  /// Requests that were not complete in time.
  let unfinished: Counter

  /// Connections that were closed because their address had too many.
  let crowdedOut: Counter

  /// Open connections.
  let connections: Gauge

  init(_ registry: MetricsRegistry) {
    requests = registry.histograms(
      "carillon_gateway_rest_request_seconds",
      help: "Requests to the REST API, by operation and status.",
      by: LabelPair<RESTOperation.Name, HTTPStatusCode>.self)
    oversized = registry.counter(
      "carillon_gateway_rest_oversized_requests_total",
      help: "Requests to the REST API whose bodies exceeded the limit.")
    unfinished = registry.counter(
      "carillon_gateway_rest_unfinished_requests_total",
      help: "Requests to the REST API that were incomplete at the timeout or were aborted.")
    crowdedOut = registry.counter(
      "carillon_gateway_rest_crowded_out_connections_total",
      help: "Connections to the REST API that were closed because their address had too many.")
    connections = registry.gauge(
      "carillon_gateway_rest_connections", help: "Open connections to the REST API.")
  }
}
