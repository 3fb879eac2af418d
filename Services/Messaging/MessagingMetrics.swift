import MeetingModel
import Ownership
import ServiceHost
import Storage

/// The metrics `carillon_messaging_…` of the service.
struct MessagingMetrics {
  let owner: MeetingOwnerMetrics
  private let meetings: Gauge
  private let messages: Gauge
  private let kept: Gauge
  private let sessions: Gauge
  private let waiting: Gauge
  private let appends: MetricFamily<Counter, AppendOutcomeLabel>
  private let replayed: Counter
  private let read: Counter
  private let pruned: Counter
  private let commits: MetricFamily<Histogram, CommitResult>
  private let committed: Counter

  init(in registry: MetricsRegistry) {
    owner = MeetingOwnerMetrics(
      of: "messaging", refusedFor: MessagingRefusalReason.self, in: registry)
    meetings = registry.gauge(
      "carillon_messaging_meetings",
      help: "Meetings with a log of messages.")
    messages = registry.gauge(
      "carillon_messaging_messages", help: "Messages that are kept for sessions that resume.")
    kept = registry.gauge(
      "carillon_messaging_kept_messages", help: "Messages that late joiners receive.")
    sessions = registry.gauge(
      "carillon_messaging_sessions",
      help: "Sessions that receive data messages.")
    waiting = registry.gauge(
      "carillon_messaging_waiting_requests",
      help: "Requests that wait until the store has committed.")
    appends = registry.counters(
      "carillon_messaging_appends_total",
      help: "Requests to send a data message, by outcome, without the refused ones.",
      by: AppendOutcomeLabel.self)
    replayed = registry.counter(
      "carillon_messaging_replayed_messages_total", help: "Messages that were replayed.")
    read = registry.counter(
      "carillon_messaging_read_messages_total", help: "Messages requested from the store.")
    pruned = registry.counter(
      "carillon_messaging_pruned_messages_total", help: "Messages that were deleted.")
    commits = registry.histograms(
      "carillon_messaging_commit_duration_seconds", help: "Time to commit a batch to the store.",
      by: CommitResult.self)
    committed = registry.counter(
      "carillon_messaging_committed_messages_total",
      help: "Messages that were committed to the store.")
  }

  /// Updates the gauges.
  func update(_ logs: MessageLogs, waitingRequests: Int) {
    meetings.set(logs.all.count)
    messages.set(logs.all.values.reduce(0) { $0 + $1.places.count })
    kept.set(logs.all.values.reduce(0) { $0 + $1.keptCount })
    sessions.set(logs.all.values.reduce(0) { $0 + $1.sessions.count })
    waiting.set(waitingRequests)
  }

  func count(_ outcome: AppendOutcome) { appends[AppendOutcomeLabel(outcome)].increment() }

  func countReplay(of messages: Int) { replayed.increment(by: UInt64(messages)) }

  func countRead(of messages: Int) { read.increment(by: UInt64(messages)) }

  func countCommit(of batch: MessagesBatch, after duration: Duration) {
    commits[.stored].observe(duration)
    for change in batch.changes.values {
      committed.increment(by: UInt64(change.appended.count))
      pruned.increment(by: UInt64(change.pruned.count))
    }
  }

  func countFailedCommit(after duration: Duration) { commits[.failed].observe(duration) }
}

/// The outcome of an attempt to send.
private enum AppendOutcomeLabel: String, MetricLabel {
  static let labelName = "outcome"
  case accepted, repeated, throttled

  init(_ outcome: AppendOutcome) {
    switch outcome {
    case .accepted: self = .accepted
    case .repeated: self = .repeated
    case .throttled: self = .throttled
    }
  }
}

private enum CommitResult: String, MetricLabel {
  static let labelName = "result"
  case stored, failed
}

/// The reason why the service refused a request, as a label of a metric.
private enum MessagingRefusalReason: String, RefusalReason {
  case lifetimeMs, topic, length, recipients
  case unknownSession = "unknown_session"
  case flooding
  case meetingEnded = "meeting_ended"
  case staleTerm = "stale_term"
  case overloaded
  case storeFailed = "store_failed"
  case overtaking
  case malformed

  init(_ error: any Error) {
    if error is OwnershipError {
      self = .staleTerm
      return
    }
    switch error as? MessagingError {
    case .negativeLifetime: self = .lifetimeMs
    case .invalidTopic: self = .topic
    case .tooLong: self = .length
    case .tooManyRecipients: self = .recipients
    case .unknownSession: self = .unknownSession
    case .flooding: self = .flooding
    case .meetingEnded: self = .meetingEnded
    case .overloaded: self = .overloaded
    case .storeFailed: self = .storeFailed
    case .overtaking: self = .overtaking
    case .malformed, nil: self = .malformed
    }
  }
}
