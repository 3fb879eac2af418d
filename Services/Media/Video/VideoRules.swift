import RTP

/// The parameters of video forwarding.
struct VideoRules: Hashable, Sendable {
  /// The maximum size of a packet.
  ///
  /// Larger packets are refused.
  var maximumPacketBytes = 1_500

  /// The packets of one incoming layer that are kept for retransmission; a power of two.
  var cachedPackets = 512

  /// The maximum size of the kept packets, in bytes.
  var cachedBytes = 512 << 10

  /// The time for which a packet is kept.
  var cacheTime: Duration = .milliseconds(1_500)

  /// The shortest times between two key frame requests for one layer.
  var keyFrames = KeyFrameRequests.Intervals()

  /// The pause between two retransmissions of one packet to a receiver.
  ///
  /// A longer round trip replaces it.
  var resendInterval: Duration = .milliseconds(20)

  /// The maximum number of retransmissions of one packet to one receiver.
  var maximumResends: UInt8 = 5

  /// The bitrate of retransmissions to one receiver, in percent of its downlink.
  var resendPercent = 50

  /// The pause between two reports to senders and receivers.
  var reportInterval: Duration = .seconds(1)

  /// The rules for requests of lost packets from publishers.
  var nacks = LossTracker.Rules()

  /// The rules for links whose receivers report once a second.
  var downlink = DownlinkRules()

  /// The rules for links whose receivers acknowledge each packet.
  var feedback = FeedbackRules()

  /// The longest queue on a receiver's link, as time at its estimate: for the tiles of the highest
  /// priority, and for others.
  var longestWait: Duration = .milliseconds(600)
  var longestMinorWait: Duration = .milliseconds(300)

  /// The longest queue while the estimate is unknown, and the maximum number of waiting packets.
  var longestFirstWait: Duration = .seconds(1)
  var waitingPackets = 1_000

  /// The time for which a tile is held after its frames were dropped.
  var holdTime: Duration = .milliseconds(200)

  /// The time without a sent frame after which a tile stalls.
  var stallTime: Duration = .seconds(2)

  /// The limits on packets that wait for a decision.
  var early = EarlyVideo.Rules()

  /// The pause between two feedback messages to a publisher.
  var feedbackInterval: Duration = .milliseconds(50)
}
