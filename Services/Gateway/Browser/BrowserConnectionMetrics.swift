import ServiceHost

/// Metrics of browsers' connections.
struct BrowserConnectionMetrics: Sendable {
  let connections: Gauge
  let badFrames: Counter
  let refusals: Counter

  init(_ registry: MetricsRegistry) {
    connections = registry.gauge(
      "carillon_gateway_browser_connections", help: "Open WebSockets of browsers.")
    badFrames = registry.counter(
      "carillon_gateway_browser_bad_frames_total",
      help: "WebSocket messages of browsers that are not signaling frames.")
    refusals = registry.counter(
      "carillon_gateway_browser_refusals_total",
      help: "WebSocket upgrades of browsers that were refused.")
  }
}
