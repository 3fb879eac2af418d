import RTP

/// A session that gets video.
struct VideoReceiver: Sendable {
  /// Where its forwarders are.
  var forwarders: [Int] = []

  var estimator: DownlinkEstimator

  /// Bytes that were sent again.
  var resent = RateMeter()

  init(_ rules: VideoRules, at now: MediaTime) {
    estimator = DownlinkEstimator(rules.downlink, at: now)
  }
}
