import RTP

/// The state of a session that receives video.
struct VideoReceiver {
  /// The indices of its forwarders in the router.
  var forwarders: [Int] = []

  /// The positions of the tracks that it got before.
  ///
  /// A decision may omit a track for a moment, for example after `video-tiles` restarts.
  var former = FormerTracks()

  /// The session's link, which its audio shares.
  let link: ReceiverLink

  /// The packets that wait for room on the link.
  var waiting = WaitingVideo()

  /// The rate of retransmitted bytes.
  var resent = RateMeter()

  /// The SSRC of its padding stream, used if the receiver acknowledges packets.
  let paddingSSRC: UInt32
  var paddingSequence = SequenceNumber(0)

  init(over link: ReceiverLink, paddingSSRC: UInt32) {
    self.link = link
    self.paddingSSRC = paddingSSRC
  }
}
