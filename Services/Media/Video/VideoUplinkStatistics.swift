/// The reception statistics of one session's video since the previous measurement.
struct VideoUplinkStatistics: Hashable, Sendable {
  /// The number of packets that arrived.
  var packets = 0

  /// The number of packets that did not arrive, even after a request for retransmission.
  var lost = 0

  /// The highest interarrival jitter of the session's streams (RFC 3550), in microseconds.
  var jitterUs: Int64 = 0

  /// The bitrate over the last second, including RTP headers, in bit/s.
  var bitsPerSecond = 0

  /// The frame rate over the last second: the mean of the active streams' frame rates.
  var framesPerSecond = 0
}
