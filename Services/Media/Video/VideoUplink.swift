/// How the video that one session sends arrives, over the time since the last one of these.
struct VideoUplink: Hashable, Sendable {
  /// The packets that arrived.
  var packets = 0

  /// That did not, although they were asked for again.
  var lost = 0

  /// Interarrival jitter (RFC 3550): the highest of the streams.
  var jitterUs: Int64 = 0

  /// Over the last second, with RTP headers.
  var bitsPerSecond = 0

  /// Over the last second: the mean of the streams that flow.
  var framesPerSecond = 0
}
