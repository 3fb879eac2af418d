/// What only the server can measure of a client's media, over the last second.
struct SessionMetrics: Hashable, Sendable {
  /// `nil`: it sends no audio.
  var audio: UplinkMetrics?

  /// All its video streams together; `nil`: it sends none.
  var video: UplinkMetrics?

  /// Estimate of its downlink; `nil`: not known.
  var downlinkBitsPerSecond: Int?

  /// What was counted in the last second.
  var counts = SessionCounts()
}

/// How what one client sends arrives, over the last second.
struct UplinkMetrics: Hashable, Sendable {
  /// The packets that arrived.
  var packets = 0

  /// Lost packets, in millionths of those that were expected.
  var lossPPM = 0

  /// Interarrival jitter of RFC 3550.
  var jitterUs: Int64 = 0

  /// The bitrate with RTP headers.
  var bitsPerSecond = 0

  /// The frame rate of video: the mean of the streams.
  var framesPerSecond = 0

  /// The round trip by RTCP, in microseconds; `nil`: not known.
  var roundTripUs: Int64?

  init(packets: Int, lost: Int) {
    self.packets = packets
    let expected = packets + lost
    lossPPM = expected > 0 ? lost * 1_000_000 / expected : 0
  }
}
