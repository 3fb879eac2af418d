import MeetingModel
import Ownership
import ServiceHost

/// The metrics `carillon_transcription_…` of the service.
struct TranscriptionMetrics {
  let owner: MeetingOwnerMetrics
  let engineRequests: RequestMetrics

  /// The number of malformed chunks of speech from `media`.
  let malformedSpeech: Counter
  private let running: Gauge
  private let engines: Gauge
  private let streams: Gauge
  private let backlog: Gauge
  private let dropped: DurationCounter
  private let events: MetricFamily<Counter, PublishedTranscriptKind>
  private let droppedResults: MetricFamily<Counter, ResultDropReason>

  init(in registry: MetricsRegistry) {
    owner = MeetingOwnerMetrics(
      of: "transcription", refusedFor: TranscriptionRefusalReason.self, in: registry)
    engineRequests = RequestMetrics("carillon_transcription_engines", in: registry)
    malformedSpeech = registry.counter(
      "carillon_transcription_malformed_speech_total",
      help: "Malformed chunks of speech from media.")
    running = registry.gauge(
      "carillon_transcription_transcriptions", help: "Started transcriptions.")
    engines = registry.gauge(
      "carillon_transcription_engines", help: "Attached engines.")
    streams = registry.gauge(
      "carillon_transcription_streams", help: "Talkers whose speech an engine transcribes.")
    backlog = registry.gauge(
      "carillon_transcription_backlog_seconds",
      help: "Seconds of speech that wait for an engine: the longest queue of all talkers.")
    dropped = registry.durationCounter(
      "carillon_transcription_dropped_seconds_total",
      help: "Seconds of speech that were dropped because no engine was free.")
    events = registry.counters(
      "carillon_transcription_published_events_total",
      help: "Published transcription statuses and results.",
      by: PublishedTranscriptKind.self)
    droppedResults = registry.counters(
      "carillon_transcription_dropped_results_total",
      help: "Results and other entries of engines' reports that were dropped.",
      by: ResultDropReason.self)
  }

  /// Updates the gauges, and counts the items that the service dropped since the last call.
  ///
  /// - Parameter state: The state, whose counts of dropped items the method resets.
  func update(_ state: inout Transcriptions) {
    running.set(state.meetings.values.count { $0.settings != nil })
    engines.set(state.engines.count)
    streams.set(state.engines.values.reduce(0) { $0 + $1.streams.count })
    backlog.set(Double(state.longestBacklog) / 1000)
    dropped.increment(by: SpeechTimeline.duration(ofSamples: state.droppedSamples))
    state.droppedSamples = 0
    for (reason, count) in state.droppedResults {
      droppedResults[reason].increment(by: UInt64(count))
    }
    state.droppedResults = [:]
  }

  /// Counts a published event.
  func count(_ event: TranscriptEvent) {
    switch event {
    case .status: events[.status].increment()
    case .results(let results):
      for result in results { events[result.isPartial ? .partial : .final].increment() }
    }
  }
}

/// The kind of a published item.
private enum PublishedTranscriptKind: String, MetricLabel {
  static let labelName = "kind"
  case status, partial, final
}

extension ResultDropReason: MetricLabel {
  static let labelName = "reason"
}

/// The reason why the service refused a request, as a label of a metric.
private enum TranscriptionRefusalReason: String, RefusalReason {
  case meetingEnded = "meeting_ended"
  case unknownEngine = "unknown_engine"
  case tooMany = "too_many"
  case staleTerm = "stale_term"
  case malformed

  init(_ error: any Error) {
    if error is OwnershipError {
      self = .staleTerm
      return
    }
    switch error as? TranscriptionError {
    case .meetingEnded: self = .meetingEnded
    case .unknownEngine: self = .unknownEngine
    case .tooManyEngines, .tooManySessions: self = .tooMany
    case nil: self = .malformed
    }
  }
}
