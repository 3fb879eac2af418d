import MeetingModel
import Ownership
import ServiceHost

/// The metrics `carillon_video_tiles_…` of the service.
struct VideoTilesMetrics {
  let owner: MeetingOwnerMetrics
  private let meetings: Gauge
  private let cameras: Gauge
  private let shares: Gauge
  private let receivers: Gauge
  private let gateways: Gauge
  private let waiting: Gauge
  private let watchers: Gauge
  private let events: MetricFamily<Counter, VideoTilesEventKind>
  private let decisions: Counter
  private let deciding: Histogram

  init(in registry: MetricsRegistry) {
    owner = MeetingOwnerMetrics(
      of: "video-tiles", refusedFor: VideoTilesRefusalReason.self, in: registry)
    meetings = registry.gauge("carillon_video_tiles_meetings", help: "Meetings that exist.")
    cameras = registry.gauge(
      "carillon_video_tiles_cameras", help: "Published cameras.")
    shares = registry.gauge(
      "carillon_video_tiles_content_shares", help: "Published content shares.")
    receivers = registry.gauge(
      "carillon_video_tiles_receivers", help: "Sessions that can receive video.")
    gateways = registry.gauge(
      "carillon_video_tiles_gateways",
      help: "Gateways whose beacons arrive.")
    waiting = registry.gauge(
      "carillon_video_tiles_waiting_requests", help: "Requests that wait until recovery ends.")
    watchers = registry.gauge(
      "carillon_video_tiles_decision_streams", help: "Open streams of decisions.")
    events = registry.counters(
      "carillon_video_tiles_events_total", help: "Published events.",
      by: VideoTilesEventKind.self)
    decisions = registry.counter(
      "carillon_video_tiles_decisions_total",
      help: "Changes of the video that a receiver gets.")
    deciding = registry.histogram(
      "carillon_video_tiles_decision_duration_seconds",
      help: "Time to make the decisions that one request causes.")
  }

  /// Updates the gauges.
  func update(_ state: TileBoards, waitingRequests: Int, watchers: Int) {
    meetings.set(state.meetingCount)
    cameras.set(state.sourceCount(of: .camera))
    shares.set(state.sourceCount(of: .content))
    receivers.set(state.receiverCount)
    gateways.set(state.gatewayCount)
    waiting.set(waitingRequests)
    self.watchers.set(watchers)
  }

  /// Counts an event.
  func count(_ event: TileEvent) { events[VideoTilesEventKind(event)].increment() }

  /// Counts the decisions for `media`.
  func count(_ change: ForwardingChange) {
    decisions.increment(by: UInt64(change.receivers.count))
  }

  /// Records the duration of a decision in the metrics.
  func countDecision(since start: ContinuousClock.Instant) { deciding.observe(since: start) }
}

/// The kind of an event.
private enum VideoTilesEventKind: String, MetricLabel {
  static let labelName = "kind"
  case sources, tiles, camera, codecs
  case publishedEnded = "published_ended"

  init(_ event: TileEvent) {
    switch event {
    case .sources: self = .sources
    case .tiles: self = .tiles
    case .camera: self = .camera
    case .codecs: self = .codecs
    case .publishedEnded: self = .publishedEnded
    }
  }
}

/// The reason why the service refused a request, as a label of a metric.
private enum VideoTilesRefusalReason: String, RefusalReason {
  case camerasFull = "cameras_full"
  case sharesFull = "shares_full"
  case notAllowed = "not_allowed"
  case inReplica = "in_replica"
  case joinedElsewhere = "joined_elsewhere"
  case unknownSession = "unknown_session"
  case unknownTile = "unknown_tile"
  case meetingEnded = "meeting_ended"
  case recovering
  case staleTerm = "stale_term"
  case malformed

  init(_ error: any Error) {
    if error is OwnershipError {
      self = .staleTerm
      return
    }
    switch error as? VideoTilesError {
    case .camerasFull: self = .camerasFull
    case .sharesFull, .shareTaken: self = .sharesFull
    case .mayNotSend: self = .notAllowed
    case .inReplica, .notInReplica: self = .inReplica
    case .joinedElsewhere: self = .joinedElsewhere
    case .unknownSession: self = .unknownSession
    case .unknownTile: self = .unknownTile
    case .meetingEnded: self = .meetingEnded
    case .recovering: self = .recovering
    case .wrongKind, .sessionTaken, .ownTile, .malformed, nil: self = .malformed
    }
  }
}
