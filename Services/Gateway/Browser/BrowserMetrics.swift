import ServiceHost

/// Metrics of browsers' connections.
struct BrowserMetrics: Sendable {
  let connections: Gauge
  let badFrames: Counter
  let refusals: Counter

  init(_ registry: MetricsRegistry) {
    connections = registry.gauge(
      "carillon_gateway_browser_connections", help: "WebSockets of browsers that are open.")
    badFrames = registry.counter(
      "carillon_gateway_browser_bad_frames_total", help: "Messages of browsers that are no frame.")
    refusals = registry.counter(
      "carillon_gateway_browser_refusals_total",
      help: "Upgrades of browsers that were refused before they were WebSockets.")
  }
}
