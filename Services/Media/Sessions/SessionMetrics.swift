/// The metrics of a client's media that only the server can measure, for the last second.
struct SessionMetrics: Hashable, Sendable {
  /// The audio that the client sends; `nil` if it sends none.
  var audio: UplinkMetrics?

  /// All video streams that the client sends, taken together; `nil` if it sends none.
  var video: UplinkMetrics?

  /// The estimate of its downlink, in bit/s; `nil` if unknown.
  var downlinkBitsPerSecond: Int?

  /// The counts of the last second.
  var counts = SessionCounts()
}

/// The reception of one client's audio or video, for the last second.
struct UplinkMetrics: Hashable, Sendable {
  /// The packets that arrived.
  var packets = 0

  /// Lost packets, in millionths of those that were expected.
  var lossPPM = 0

  /// The interarrival jitter of RFC 3550, in microseconds.
  var jitterUs: Int64 = 0

  /// The bitrate with RTP headers, in bit/s.
  var bitsPerSecond = 0

  /// The frame rate of video: the mean of the streams.
  var framesPerSecond = 0

  /// The round trip measured by RTCP, in microseconds; `nil` if unknown.
  var roundTripUs: Int64?

  init(packets: Int, lost: Int) {
    self.packets = packets
    let expected = packets + lost
    lossPPM = expected > 0 ? lost * 1_000_000 / expected : 0
  }
}
