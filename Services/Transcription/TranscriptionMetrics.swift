import MeetingModel
import ServiceHost
import Wire

/// What transcription counts, as `carillon_transcription_…`.
struct TranscriptionMetrics {
  let requests: RequestMetrics
  let engineRequests: RequestMetrics
  let subscriptions: SubscriptionMetrics

  /// Items from media that are not what they should be.
  let malformedSpeech: Counter
  private let running: Gauge
  private let engines: Gauge
  private let streams: Gauge
  private let backlog: Gauge
  private let dropped: Counter
  private let events: MetricFamily<Counter, PublishedTranscript>
  private let droppedResults: MetricFamily<Counter, DroppedResult>
  private let refusals: MetricFamily<Counter, Refusal>

  init(in registry: MetricsRegistry) {
    requests = RequestMetrics("carillon_transcription_rpc", in: registry)
    engineRequests = RequestMetrics("carillon_transcription_engines", in: registry)
    subscriptions = SubscriptionMetrics("carillon_transcription_events", in: registry)
    malformedSpeech = registry.counter(
      "carillon_transcription_malformed_speech_total",
      help: "Chunks from media that are not what they should be.")
    running = registry.gauge(
      "carillon_transcription_running", help: "Transcriptions that are started.")
    engines = registry.gauge(
      "carillon_transcription_engines", help: "Engines that are attached.")
    streams = registry.gauge(
      "carillon_transcription_streams", help: "Talkers whose speech an engine works on.")
    backlog = registry.gauge(
      "carillon_transcription_backlog_milliseconds",
      help: "Speech that waits to be heard: the longest of all talkers.")
    dropped = registry.counter(
      "carillon_transcription_dropped_milliseconds_total",
      help: "Speech that was never heard, for want of engines.")
    events = registry.counters(
      "carillon_transcription_published_total", help: "Statuses and results that were published.",
      by: PublishedTranscript.self)
    droppedResults = registry.counters(
      "carillon_transcription_dropped_results_total", help: "Results of engines that were dropped.",
      by: DroppedResult.self)
    refusals = registry.counters(
      "carillon_transcription_refusals_total", help: "Requests that were refused.",
      by: Refusal.self)
  }

  /// Shows how much there is now, and counts what was dropped since the last time.
  func update(_ state: inout Transcriptions) {
    running.set(state.meetings.values.count { $0.settings != nil })
    engines.set(state.engines.count)
    streams.set(state.engines.values.reduce(0) { $0 + $1.streams.count })
    backlog.set(Int(clamping: state.longestBacklog))
    let milliseconds = state.droppedSamples / SpeechTimeline.samplesPerMillisecond
    dropped.increment(by: milliseconds)
    state.droppedSamples -= milliseconds * SpeechTimeline.samplesPerMillisecond
    for (reason, count) in state.droppedResults {
      droppedResults[reason].increment(by: UInt64(count))
    }
    state.droppedResults = [:]
  }

  /// Counts an event.
  func count(_ event: V1.TranscriptEvent) {
    switch event.event {
    case .status: events[.status].increment()
    case .transcript(let transcript):
      for result in transcript.results {
        events[result.isPartial ? .partial : .final].increment()
      }
    case nil: break
    }
  }

  /// Counts a request that failed so.
  func countRefusal(_ error: any Error) { refusals[Refusal(error)].increment() }
}

/// The kinds of what is published.
private enum PublishedTranscript: String, MetricLabel {
  static let labelName = "kind"
  case status, partial, final
}

extension DroppedResult: MetricLabel {
  static let labelName = "reason"
}

/// Why a request was refused, as a metric has it.
private enum Refusal: String, MetricLabel {
  static let labelName = "reason"

  case meetingEnded = "meeting_ended"
  case unknownEngine = "unknown_engine"
  case tooMany = "too_many"
  case staleTerm = "stale_term"
  case malformed

  init(_ error: any Error) {
    switch error as? TranscriptionError {
    case .meetingEnded: self = .meetingEnded
    case .unknownEngine: self = .unknownEngine
    case .tooManyEngines, .tooManySessions: self = .tooMany
    case .staleTerm: self = .staleTerm
    case nil: self = .malformed
    }
  }
}
