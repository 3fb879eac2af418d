/// Those metrics of a client's media that only the server can measure, for the last second.
struct ServerMeasuredMediaMetrics: Hashable, Sendable {
  /// The audio that the client sends; `nil` if the client sends none.
  var audio: UplinkReceptionMetrics?

  /// All video streams of the client together; `nil` if the client sends none.
  var video: UplinkReceptionMetrics?

  /// The layers of the client's video from which packets arrived.
  var sentLayers: [SentLayerRate] = []

  /// The estimate of the client's downlink, in bit/s; `nil` if unknown.
  var downlinkBitsPerSecond: Int?

  /// The counts of the last second.
  var counts = SessionMediaCounts()
}

/// The bitrate of one layer of a client's own video, over the last second.
struct SentLayerRate: Hashable, Sendable {
  /// The tile of the source.
  let tile: UInt32

  /// The number of the layer, from 1.
  let layer: Int

  /// The bitrate including RTP headers, in bit/s.
  let bitsPerSecond: Int
}

/// The reception statistics of one client's audio or video, for the last second.
struct UplinkReceptionMetrics: Hashable, Sendable {
  /// The number of packets that arrived.
  var packets = 0

  /// The lost packets, in millionths of the expected packets.
  var lossPPM = 0

  /// The interarrival jitter of RFC 3550, in microseconds.
  var jitterUs: Int64 = 0

  /// The bitrate including RTP headers, in bit/s.
  var bitsPerSecond = 0

  /// The frame rate of video: the mean of the streams' frame rates.
  var framesPerSecond = 0

  /// The round trip that RTCP measured, in microseconds; `nil` if unknown.
  var roundTripUs: Int64?

  init(packets: Int, lost: Int) {
    self.packets = packets
    let expected = packets + lost
    lossPPM = expected > 0 ? lost * 1_000_000 / expected : 0
  }
}
