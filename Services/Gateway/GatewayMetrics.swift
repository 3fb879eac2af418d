import MeetingModel
import ServiceHost

/// The metrics of a gateway.
struct GatewayMetrics: Sendable {
  let sessions: Gauge
  let meetings: Gauge
  /// The depth of the queues to clients, in bytes.
  let bytesUnderWay: Gauge
  let sessionsStarted: Counter
  let startsWaiting: Gauge
  let levelsSpared: Counter
  let slowClients: Counter
  let flooding: Counter
  let malformedEvents: Counter
  let refusedAnnouncements: Counter
  let refusals: MetricFamily<Counter, RefusalCode>
  let promotions: MetricFamily<Counter, PromotionOutcome>
  let demotions: Counter

  init(_ metrics: MetricsRegistry) {
    sessions = metrics.gauge("carillon_gateway_sessions", help: "Sessions of clients now.")
    meetings = metrics.gauge(
      "carillon_gateway_meetings", help: "Meetings that have a session here.")
    bytesUnderWay = metrics.gauge(
      "carillon_gateway_client_queue_bytes",
      help: "Bytes sent to clients that they have not acknowledged.")
    levelsSpared = metrics.counter(
      "carillon_gateway_levels_spared_total",
      help: "Volatile updates that slow clients were spared; they get the newest later.")
    sessionsStarted = metrics.counter(
      "carillon_gateway_sessions_started_total", help: "Sessions opened or resumed.")
    startsWaiting = metrics.gauge(
      "carillon_gateway_starts_waiting",
      help: "Clients that wait for their turn to have a session opened.")
    slowClients = metrics.counter(
      "carillon_gateway_slow_clients_total", help: "Sessions ended because they read too slowly.")
    flooding = metrics.counter(
      "carillon_gateway_flooding_total", help: "Sessions ended because they asked too much.")
    malformedEvents = metrics.counter(
      "carillon_gateway_malformed_events_total", help: "Events from services that do not read.")
    refusedAnnouncements = metrics.counter(
      "carillon_gateway_refused_announcements_total",
      help: "Sessions and transcriptions that a restarted service did not take up.")
    refusals = metrics.counters(
      "carillon_gateway_sessions_refused_total", help: "Starts that were refused, by status.",
      by: RefusalCode.self)
    promotions = metrics.counters(
      "carillon_gateway_promotions_total",
      help: "Attendees of replicas that asked to act in the primary, by what came of it.",
      by: PromotionOutcome.self)
    demotions = metrics.counter(
      "carillon_gateway_forced_demotions_total",
      help: "Promotions that the server ended, not the client or its connection.")
  }
}

/// The reason for which a Start was rejected.
enum RefusalCode: String, MetricLabel {
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
