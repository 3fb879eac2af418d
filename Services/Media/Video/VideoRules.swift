import RTP

/// The numbers that video is forwarded by.
struct VideoRules: Hashable, Sendable {
  /// Of VP8 packets, in both directions.
  var vp8PayloadType: UInt8 = 96

  /// Of H.264 packets, in both directions.
  var h264PayloadType: UInt8 = 97

  /// Larger packets are refused.
  var maximumPacketBytes = 1_500

  /// Packets of one incoming layer that stay for those who miss them; a power of two.
  var cachedPackets = 512

  /// Bytes of them.
  var cachedBytes = 512 << 10

  /// How long they stay.
  var cacheTime: Duration = .milliseconds(1_500)

  /// Between two key frame requests for one layer that wait for the same key frame.
  var keyFrameInterval: Duration = .milliseconds(500)

  /// The same when somebody who gets nothing yet waits for it.
  var freshKeyFrameInterval: Duration = .milliseconds(100)

  /// Between two answers to one receiver for the same packet. Its round trip, where that is longer.
  var resendInterval: Duration = .milliseconds(20)

  /// How often one packet is sent again to one receiver.
  var maximumResends: UInt8 = 5

  /// What may be sent again to one receiver, in percent of its downlink.
  var resendPercent = 50

  /// Between two reports to senders and receivers.
  var reportInterval: Duration = .seconds(1)

  /// What is asked of publishers again.
  var nacks = LossTracker.Rules()

  var downlink = DownlinkRules()

  func payloadType(of codec: VideoCodec) -> UInt8 {
    switch codec {
    case .vp8: vp8PayloadType
    case .h264: h264PayloadType
    }
  }
}
