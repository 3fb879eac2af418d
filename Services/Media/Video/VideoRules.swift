import RTP

/// The numbers that video is forwarded by.
struct VideoRules: Hashable, Sendable {
  /// Larger packets are refused.
  var maximumPacketBytes = 1_500

  /// Packets of one incoming layer that stay for those who miss them; a power of two.
  var cachedPackets = 512

  /// Bytes of them.
  var cachedBytes = 512 << 10

  /// How long they stay.
  var cacheTime: Duration = .milliseconds(1_500)

  /// The pauses between two key frame requests for one layer.
  var keyFrames = KeyFrameRequests.Intervals()

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

  /// For links of which reports tell once a second.
  var downlink = DownlinkRules()

  /// For links of which each packet is acknowledged.
  var feedback = FeedbackRules()

  /// What may wait for the link of a receiver, as time at its estimate: for those tiles that it
  /// wants most, and for others.
  var longestWait: Duration = .milliseconds(600)
  var longestMinorWait: Duration = .milliseconds(300)

  /// The same while the link is not known, and packets that may wait in any case.
  var longestFirstWait: Duration = .seconds(1)
  var waitingPackets = 1_000

  /// How long nothing of a tile leaves after frames of it were left out.
  var holdTime: Duration = .milliseconds(200)

  /// A tile stalls when no frame of it has left for so long.
  var stallTime: Duration = .seconds(2)

  /// What waits for a decision.
  var early = EarlyVideo.Rules()

  /// The pause between two congestion control feedbacks to a publisher.
  var feedbackInterval: Duration = .milliseconds(50)
}
