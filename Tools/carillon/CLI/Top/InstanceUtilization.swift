internal import LocalInstallation
internal import Output

/// The load of one instance between two readings of its metrics.
///
/// Processor time is in hundredths of a core.
struct InstanceUtilization: Hashable, Sendable {
  let instance: String

  /// The latest reading; `nil` if the instance does not answer.
  private let now: MetricsReading?

  /// Rates per second since the earlier reading; `nil` if the earlier reading or the metric is
  /// missing.
  private let processor: Double?
  private let requests: Double?
  private let messages: Double?
  private let packetsIn: Double?
  private let packetsOut: Double?

  /// - Parameters:
  ///   - before: The earlier reading; `nil` if no earlier reading exists. A restarted instance
  ///     counts from 0 again.
  ///   - seconds: The time between the two readings.
  init(
    of instance: String, now: MetricsReading?, before: MetricsReading?, seconds: Double
  ) {
    self.instance = instance
    self.now = now
    let isSame =
      now?["process_start_time_seconds"] == before?["process_start_time_seconds"] && seconds > 0
    func rate(_ value: (MetricsReading) -> Double?) -> Double? {
      guard isSame, let new = now.flatMap(value), let old = before.flatMap(value) else {
        return nil
      }
      return max(new - old, 0) / seconds
    }
    processor = rate { $0["process_cpu_seconds_total"] }
    requests = rate { $0.sum(ofAllEndingIn: "_request_duration_seconds_count") }
    messages = rate {
      $0.sum(of: "carillon_messaging_appends_total", where: "outcome", is: "accepted")
    }
    packetsIn = rate { $0["carillon_media_received_packets_total"] }
    packetsOut = rate { $0["carillon_media_sent_packets_total"] }
  }

  /// The metrics that contain the number of meetings. The names of these metrics differ between
  /// services.
  private static let meetings = [
    "carillon_gateway_meetings", "carillon_presence_meetings", "carillon_video_tiles_meetings",
    "carillon_messaging_meetings", "carillon_media_meetings",
    "carillon_transcription_transcriptions",
  ]
  private static let sessions = [
    "carillon_gateway_sessions", "carillon_presence_attendees", "carillon_video_tiles_receivers",
    "carillon_messaging_sessions", "carillon_media_sessions", "carillon_transcription_streams",
  ]
  private static let waiting = [
    "carillon_gateway_waiting_starts", "carillon_presence_waiting_requests",
    "carillon_video_tiles_waiting_requests", "carillon_messaging_waiting_requests",
  ]

  private func first(of metrics: [String]) -> JSONValue {
    let value = metrics.lazy.compactMap { now?[$0] }.first
    return value.map { .integer(Int($0)) } ?? .null
  }

  private func whole(_ rate: Double?) -> JSONValue {
    rate.map { .integer(Int($0.rounded())) } ?? .null
  }

  var record: OutputRecord {
    [
      "instance": .text(instance), "answers": .bool(now != nil),
      "cpu_percent": whole(processor.map { $0 * 100 }),
      "meetings": first(of: Self.meetings), "sessions": first(of: Self.sessions),
      "requests_per_second": whole(requests), "messages_per_second": whole(messages),
      "packets_in_per_second": whole(packetsIn), "packets_out_per_second": whole(packetsOut),
      "waiting": first(of: Self.waiting),
      "memory_mb": whole(now?["process_resident_memory_bytes"].map { $0 / 1e6 }),
      "open_files": first(of: ["process_open_fds"]),
    ]
  }

}
