import RTP

/// The parameters of video forwarding.
struct VideoForwardingParameters: Hashable, Sendable {
  /// The maximum size of a packet, in bytes. The router refuses larger packets.
  var maximumPacketBytes = 1_500

  /// For one incoming layer, the number of packets that the router stores for retransmission; a
  /// power of two.
  var cachedPackets = 512

  /// The maximum size of the stored packets of one incoming layer, in bytes.
  var cachedBytes = 512 << 10

  /// How long the router stores a packet.
  var cacheTime: Duration = .milliseconds(1_500)

  /// The minimum times between two key frame requests for one layer.
  var keyFrames = KeyFrameRequests.Intervals()

  /// The minimum time between two retransmissions of one packet to a receiver. If the round trip is
  /// longer, the minimum is one round trip.
  var resendInterval: Duration = .milliseconds(20)

  /// The maximum number of retransmissions of one packet to one receiver.
  var maximumResends: UInt8 = 5

  /// The maximum bitrate of retransmissions to one receiver, in percent of the receiver's downlink.
  var resendPercent = 50

  /// The pause between two reports to senders and receivers.
  var reportInterval: Duration = .seconds(1)

  /// The rules for requests of lost packets from publishers.
  var nacks = LossTracker.Rules()

  /// The parameters for links whose receivers send one report per second and no other feedback.
  var downlink = DownlinkEstimatorParameters()

  /// The parameters for links whose receivers acknowledge each packet.
  var feedback = FeedbackEstimatorParameters()

  /// The maximum queue on a receiver's link, as the time to send the queue at the estimated rate.
  /// `longestWait` applies to the tiles with the highest priority, and `longestMinorWait` applies
  /// to all other tiles.
  var longestWait: Duration = .milliseconds(600)
  var longestMinorWait: Duration = .milliseconds(300)

  /// The maximum queue while the estimate is unknown. `waitingPackets` is the maximum number of
  /// waiting packets.
  var longestFirstWait: Duration = .seconds(1)
  var waitingPackets = 1_000

  /// How long a tile stays stopped after the router has dropped frames of the tile.
  var holdTime: Duration = .milliseconds(200)

  /// The time without a sent frame after which the router reports a tile as stalled.
  var stallTime: Duration = .seconds(2)

  /// The limits on packets that wait for a decision.
  var early = EarlyVideo.Rules()

  /// The pause between two feedback messages to a publisher.
  var feedbackInterval: Duration = .milliseconds(50)
}
