import MeetingModel
import Ownership
import ServiceHost

/// The metrics `carillon_presence_…` of the service.
struct PresenceMetrics {
  let owner: MeetingOwnerMetrics
  private let meetings: Gauge
  private let attendees: Gauge
  private let gateways: Gauge
  private let waiting: Gauge
  private let joins: Counter
  private let departures: MetricFamily<Counter, DepartureReasonLabel>
  private let events: MetricFamily<Counter, PresenceEventKind>

  init(in registry: MetricsRegistry) {
    owner = MeetingOwnerMetrics(
      of: "presence", refusedFor: PresenceRefusalReason.self, in: registry)
    meetings = registry.gauge("carillon_presence_meetings", help: "Meetings that exist.")
    attendees = registry.gauge(
      "carillon_presence_attendees",
      help: "Attendees who are present; content shares do not count.")
    gateways = registry.gauge("carillon_presence_gateways", help: "Gateways whose beacons arrive.")
    waiting = registry.gauge(
      "carillon_presence_waiting_requests", help: "Requests that wait until recovery ends.")
    joins = registry.counter(
      "carillon_presence_joins_total", help: "Participants who joined a meeting.")
    departures = registry.counters(
      "carillon_presence_departures_total", help: "Participants who left or were dropped.",
      by: DepartureReasonLabel.self)
    events = registry.counters(
      "carillon_presence_events_total", help: "Published events.",
      by: PresenceEventKind.self)
  }

  /// Updates the gauges.
  func update(_ state: PresenceMeetings, waitingRequests: Int) {
    meetings.set(state.meetingCount)
    attendees.set(state.attendeeCount)
    gateways.set(state.gatewayCount)
    waiting.set(waitingRequests)
  }

  /// Counts a numbered event and its changes.
  func count(_ event: RosterEvent) {
    events[.numbered].increment()
    for case .presence(let changes) in event.updates {
      for change in changes {
        switch change {
        case .joined: joins.increment()
        case .departed(_, let reason): departures[DepartureReasonLabel(reason: reason)].increment()
        }
      }
    }
  }

  /// Counts a volatile event.
  func countLevels() { events[.volatile].increment() }
}

/// A metric label for the reason of a departure.
private struct DepartureReasonLabel: MetricLabel {
  static let labelName = "reason"
  static let allCases = PresenceReason.allCases.map { DepartureReasonLabel(reason: $0) }

  let reason: PresenceReason

  var labelValue: String {
    switch reason {
    case .client: "client"
    case .connectionLost: "connection_lost"
    case .gatewayLost: "gateway_lost"
    case .attendeeDeleted: "attendee_deleted"
    case .meetingEnded: "meeting_ended"
    case .operator: "operator"
    case .demoted: "demoted"
    }
  }
}

/// The kind of an event: numbered or volatile.
private enum PresenceEventKind: String, MetricLabel {
  static let labelName = "kind"
  case numbered, volatile
}

/// The reason why the service refused a request, as a label of a metric.
private enum PresenceRefusalReason: String, RefusalReason {
  case meetingFull = "meeting_full"
  case meetingEnded = "meeting_ended"
  case sessionEnded = "session_ended"
  case attendeeDeleted = "attendee_deleted"
  case barred
  case meetingLocked = "meeting_locked"
  case mutedByOperator = "muted_by_operator"
  case unknownSession = "unknown_session"
  case recovering
  case noHost = "no_host"
  case knocksFull = "knocks_full"
  case unknownKnock = "unknown_knock"
  case staleTerm = "stale_term"
  case malformed

  init(_ error: any Error) {
    if error is OwnershipError {
      self = .staleTerm
      return
    }
    switch error as? PresenceError {
    case .meetingFull: self = .meetingFull
    case .meetingEnded: self = .meetingEnded
    case .sessionEnded: self = .sessionEnded
    case .attendeeDeleted: self = .attendeeDeleted
    case .barred: self = .barred
    case .meetingLocked: self = .meetingLocked
    case .mutedByOperator: self = .mutedByOperator
    case .unknownSession: self = .unknownSession
    case .recovering: self = .recovering
    case .noHost: self = .noHost
    case .knocksFull: self = .knocksFull
    case .unknownKnock: self = .unknownKnock
    case .sessionTaken, .kindMismatch, .malformed, nil: self = .malformed
    }
  }
}
