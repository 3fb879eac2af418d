import RTP

/// A session that gets video.
struct VideoReceiver: Sendable {
  /// Where its forwarders are.
  var forwarders: [Int] = []

  var link: ReceiverLink

  /// What its link has no room for yet.
  var waiting = WaitingVideo()

  /// Bytes that were sent again.
  var resent = RateMeter()

  /// The stream of padding that it is sent, where it acknowledges what comes.
  let paddingSSRC: UInt32
  var paddingSequence = SequenceNumber(0)

  init(_ rules: VideoRules, paddingSSRC: UInt32, at now: MediaTime) {
    link = ReceiverLink(rules, at: now)
    self.paddingSSRC = paddingSSRC
  }
}
