import ServiceHost

/// Metrics of event deliveries to webhook receivers.
struct WebhookMetrics: Sendable {
  let taken: Counter
  let refused: Counter
  let pending: Gauge
  let dropped: Counter

  init(_ registry: MetricsRegistry) {
    taken = registry.counter(
      "carillon_gateway_webhook_deliveries_total", help: "Events that receivers accepted.")
    refused = registry.counter(
      "carillon_gateway_webhook_failures_total",
      help: "Attempts to deliver an event that the receiver did not accept.")
    pending = registry.gauge(
      "carillon_gateway_webhook_pending_events",
      help: "Events that await delivery, summed over receivers.")
    dropped = registry.counter(
      "carillon_gateway_webhook_dropped_events_total",
      help: "Events that were deleted before their delivery, summed over receivers.")
  }
}
