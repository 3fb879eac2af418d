/// The reception of one session's video since the previous measurement.
struct VideoUplink: Hashable, Sendable {
  /// The packets that arrived.
  var packets = 0

  /// Packets that did not arrive, although they were requested again.
  var lost = 0

  /// The highest interarrival jitter of its streams (RFC 3550), in microseconds.
  var jitterUs: Int64 = 0

  /// The bitrate over the last second, with RTP headers, in bit/s.
  var bitsPerSecond = 0

  /// The frame rate over the last second: the mean of the active streams.
  var framesPerSecond = 0
}
