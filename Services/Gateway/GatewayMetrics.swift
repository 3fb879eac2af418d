import MeetingModel
import ServiceHost

/// The metrics of a gateway.
struct GatewayMetrics: Sendable {
  let sessions: Gauge
  let meetings: Gauge
  /// The sum of the bytes that wait in the queues to clients.
  let bytesUnderWay: Gauge
  let sessionsStarted: Counter
  let startsWaiting: Gauge
  let levelsSpared: Counter
  let slowClients: Counter
  let flooding: Counter
  let malformedEvents: Counter
  let refusedAnnouncements: Counter
  let refusals: MetricFamily<Counter, StartRefusalLabel>
  let promotions: MetricFamily<Counter, PromotionOutcome>
  let demotions: Counter

  init(_ metrics: MetricsRegistry) {
    sessions = metrics.gauge("carillon_gateway_sessions", help: "Open sessions of clients.")
    meetings = metrics.gauge(
      "carillon_gateway_meetings", help: "Meetings with a session at this instance.")
    bytesUnderWay = metrics.gauge(
      "carillon_gateway_client_queue_bytes",
      help: "Bytes sent to clients and not yet acknowledged.")
    levelsSpared = metrics.counter(
      "carillon_gateway_skipped_updates_total",
      help: "Volatile updates that were not sent to slow clients, which get the newest one later.")
    sessionsStarted = metrics.counter(
      "carillon_gateway_sessions_started_total", help: "Sessions that were opened or resumed.")
    startsWaiting = metrics.gauge(
      "carillon_gateway_waiting_starts",
      help: "Clients whose requests to start a session are queued.")
    slowClients = metrics.counter(
      "carillon_gateway_slow_clients_total",
      help: "Sessions that ended because the client read too slowly.")
    flooding = metrics.counter(
      "carillon_gateway_rate_limited_sessions_total",
      help: "Sessions that ended because the client exceeded a rate limit.")
    malformedEvents = metrics.counter(
      "carillon_gateway_malformed_events_total",
      help: "Events of services that the gateway could not parse.")
    refusedAnnouncements = metrics.counter(
      "carillon_gateway_refused_announcements_total",
      help: "Sessions and transcriptions that a restarted service refused to restore.")
    refusals = metrics.counters(
      "carillon_gateway_sessions_refused_total", help: "Refused starts of sessions, by status.",
      by: StartRefusalLabel.self)
    promotions = metrics.counters(
      "carillon_gateway_promotions_total",
      help: "Requests of a replica's attendees for promotion, by outcome.",
      by: PromotionOutcome.self)
    demotions = metrics.counter(
      "carillon_gateway_forced_demotions_total",
      help: "Promotions that the server ended.")
  }
}

/// The reason why the gateway rejected a Start.
enum StartRefusalLabel: String, MetricLabel {
  static let labelName = "status"

  case unauthenticated
  case ended
  case full
  case malformed
  case unavailable
  case overloaded
  case other

  init(_ status: Status) {
    switch status.code {
    case .unavailable where status.reason == .overloaded: self = .overloaded
    case .unauthenticated: self = .unauthenticated
    case .failedPrecondition: self = .ended
    case .resourceExhausted: self = .full
    case .invalidArgument: self = .malformed
    case .unavailable, .deadlineExceeded: self = .unavailable
    default: self = .other
    }
  }
}
