import MeetingModel
import RTP

/// The numbers that video is forwarded by.
struct VideoRules: Hashable, Sendable {
  /// The payload type of VP8 packets, in both directions.
  var vp8PayloadType: UInt8 = 96

  /// The payload type of H.264 packets, in both directions.
  var h264PayloadType: UInt8 = 97

  /// Larger packets are refused.
  var maximumPacketBytes = 1_500

  /// Packets of one incoming layer that stay for those who miss them; a power of two.
  var cachedPackets = 512

  /// Bytes of them.
  var cachedBytes = 512 << 10

  /// How long they stay.
  var cacheTime: Duration = .milliseconds(1_500)

  /// The pause between two key frame requests for one layer that wait for the same key frame.
  var keyFrameInterval: Duration = .milliseconds(500)

  /// The same when somebody who gets nothing yet waits for it.
  var freshKeyFrameInterval: Duration = .milliseconds(100)

  /// The pause between two answers to a receiver for one packet; its round trip if that is longer.
  var resendInterval: Duration = .milliseconds(20)

  /// How often one packet is sent again to one receiver.
  var maximumResends: UInt8 = 5

  /// What may be sent again to one receiver, in percent of its downlink.
  var resendPercent = 50

  /// The pause between two reports to senders and receivers.
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
