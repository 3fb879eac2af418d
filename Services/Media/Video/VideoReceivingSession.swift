import RTP

/// The state of a session that receives video.
struct VideoReceivingSession {
  /// The indices of the receiver's forwarders in the router.
  var forwarders: [Int] = []

  /// The positions of the tracks that the receiver got before.
  ///
  /// The decisions may omit a track for a short time, for example after a restart of `video-tiles`.
  var former = FormerTracks()

  /// The packets that wait for room on the link.
  var waiting = WaitingVideo()

  /// The rate of retransmitted bytes.
  var resent = RateMeter()

  /// The SSRC of the receiver's padding stream. The router uses this stream if the receiver
  /// acknowledges packets.
  let paddingSSRC: UInt32
  var paddingSequence = SequenceNumber(0)

  init(paddingSSRC: UInt32) { self.paddingSSRC = paddingSSRC }
}
