import RTP

/// A session that gets video.
struct VideoReceiver {
  /// Where its forwarders are.
  var forwarders: [Int] = []

  /// The tracks that it got before. A decision may leave a track out for a moment, for example
  /// after `video-tiles` restarted.
  var former = FormerTracks()

  /// What its link carries. The session's own: sound counts there too.
  let link: ReceiverLink

  /// What its link has no room for yet.
  var waiting = WaitingVideo()

  /// Bytes that were sent again.
  var resent = RateMeter()

  /// The stream of padding that it is sent, where it acknowledges what comes.
  let paddingSSRC: UInt32
  var paddingSequence = SequenceNumber(0)

  init(over link: ReceiverLink, paddingSSRC: UInt32) {
    self.link = link
    self.paddingSSRC = paddingSSRC
  }
}
