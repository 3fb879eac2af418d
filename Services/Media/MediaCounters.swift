import Bus
import MeetingModel
import Ownership
import ServiceHost

/// The metrics `carillon_media_…` of the service.
struct MediaCounters {
  let owner: MeetingOwnerMetrics

  /// Packets that arrived and that the service accepted.
  let received: PacketMetricCounters

  /// Sent packets, counted once for each receiver.
  let sent: PacketMetricCounters

  /// Dropped packets, by reason.
  let dropped: MetricFamily<Counter, DropReason>

  /// The metrics of two kinds of video requests: requests for key frames, and requests to send lost
  /// packets again.
  let video: VideoRequestMetrics

  /// Events of clients' connections.
  let connections: MetricFamily<Counter, ConnectionEvent>

  /// The time that it takes to decode, mix and encode 20 ms of sound for all meetings together.
  let mixing: Histogram

  /// How many times the service raised its ``ForwardingStallFence``. While the fence is up, the
  /// service forwards nothing.
  let fences: Counter
  private let meetings: Gauge
  private let sessions: Gauge
  private let bound: Gauge

  init(in registry: MetricsRegistry) {
    owner = MeetingOwnerMetrics(of: "media", refusedFor: MediaRefusalReason.self, in: registry)
    received = PacketMetricCounters(
      registry.counters(
        "carillon_media_received_packets_total", help: "Packets that media accepted from clients.",
        by: PacketContentKind.self))
    sent = PacketMetricCounters(
      registry.counters(
        "carillon_media_sent_packets_total",
        help: "Packets that media sent to clients, counted once for each receiver.",
        by: PacketContentKind.self))
    dropped = registry.counters(
      "carillon_media_dropped_packets_total", help: "Packets that media dropped.",
      by: DropReason.self)
    video = VideoRequestMetrics(in: registry)
    connections = registry.counters(
      "carillon_media_packet_connections_total", help: "Connections of clients, by event.",
      by: ConnectionEvent.self)
    mixing = registry.histogram(
      "carillon_media_mixing_duration_seconds",
      help: "Time to decode, mix and encode 20 ms of audio of all meetings.")
    fences = registry.counter(
      "carillon_media_fences_total",
      help: """
        Times that media stopped forwarding until the gateways had reported their pending changes.
        """)
    meetings = registry.gauge("carillon_media_meetings", help: "Meetings with a session.")
    sessions = registry.gauge("carillon_media_sessions", help: "Admitted sessions.")
    bound = registry.gauge(
      "carillon_media_connections", help: "Connections of clients that presented a valid ticket.")
  }

  /// Sets the gauges.
  func update(meetings: Int, sessions: Int, bound: Int) {
    self.meetings.set(meetings)
    self.sessions.set(sessions)
    self.bound.set(bound)
  }
}

/// The counters of one metric, by kind. The lookup of a counter takes a lock, and would be too slow
/// for each packet. So this type looks up all counters once, at its creation.
struct PacketMetricCounters {
  private let audio: Counter
  private let video: Counter
  private let rtcp: Counter

  init(_ family: MetricFamily<Counter, PacketContentKind>) {
    (audio, video, rtcp) = (family[.audio], family[.video], family[.rtcp])
  }

  subscript(_ kind: PacketContentKind) -> Counter {
    switch kind {
    case .audio: audio
    case .video: video
    case .rtcp: rtcp
    }
  }
}

/// The content of a packet.
enum PacketContentKind: String, MetricLabel {
  static let labelName = "kind"
  case audio, video, rtcp
}

/// The reason why the service dropped a packet.
enum DropReason: String, MetricLabel {
  static let labelName = "reason"
  /// The packet's connection has not sent a ticket.
  case unbound
  /// The packet is neither RTP nor RTCP, or is too long.
  case malformed
  /// The packet's payload type is not part of the link's format.
  case payloadType = "payload_type"
  /// The packet's SSRC does not belong to the packet's session.
  case ssrc
  /// The packet's session may not send the packet now.
  case rights
  /// The packet's receiver is too slow.
  case slow
  /// The process stalled and may have missed a mute.
  case fence
}

/// The reason why the service rejected a request, as a label of a metric.
private enum MediaRefusalReason: String, RefusalReason {
  case unknownSession = "unknown_session"
  case unknownMeeting = "unknown_meeting"
  case unknownStream = "unknown_stream"
  case notInReplica = "not_in_replica"
  case admittedElsewhere = "admitted_elsewhere"
  case staleTerm = "stale_term"
  case malformed

  init(_ error: any Error) {
    if error is OwnershipError {
      self = .staleTerm
      return
    }
    switch error as? MediaError {
    case .unknownSession: self = .unknownSession
    case .unknownMeeting: self = .unknownMeeting
    case .unknownStream: self = .unknownStream
    case .notInReplica: self = .notInReplica
    case .admittedElsewhere: self = .admittedElsewhere
    case .notAdmitted: self = .unknownSession
    case .malformed, .noBrowsers, nil: self = .malformed
    }
  }
}
