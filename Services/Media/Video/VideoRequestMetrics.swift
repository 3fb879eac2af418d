import ServiceHost

/// The metrics of video requests, of all meetings together.
struct VideoRequestMetrics {
  /// Requests for key frames, by direction.
  private let keyFrames: MetricFamily<Counter, KeyFrameDirection>

  /// Packets that receivers requested again, by outcome.
  private let retransmissions: MetricFamily<Counter, RetransmissionOutcome>

  init(in registry: MetricsRegistry) {
    keyFrames = registry.counters(
      "carillon_media_key_frame_requests_total",
      help: "Key frame requests that media received from receivers of video or sent to publishers.",
      by: KeyFrameDirection.self)
    retransmissions = registry.counters(
      "carillon_media_requested_retransmissions_total",
      help: "Video packets that receivers requested again, by outcome.",
      by: RetransmissionOutcome.self)
  }

  /// Counts the requests that a router handled while its counts changed from `former` to `present`.
  func count(from former: VideoCounters, to present: VideoCounters) {
    keyFrames[.received].increment(
      by: present.keyFrameRequestsReceived - former.keyFrameRequestsReceived)
    keyFrames[.sent].increment(by: present.keyFrameRequests - former.keyFrameRequests)
    retransmissions[.sent].increment(by: present.resent - former.resent)
    retransmissions[.unanswered].increment(by: present.unanswered - former.unanswered)
  }
}

/// The direction of a key frame request, as a label of a metric.
enum KeyFrameDirection: String, MetricLabel {
  static let labelName = "direction"

  /// From a receiver to `media`.
  case received
  /// From `media` to a publisher.
  case sent
}

/// The outcome of the request for a packet, as a label of a metric.
enum RetransmissionOutcome: String, MetricLabel {
  static let labelName = "outcome"

  /// `media` sent the packet again.
  case sent
  /// `media` no longer stores the packet, or the request exceeded a limit.
  case unanswered
}
