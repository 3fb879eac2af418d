import Ownership

/// The numbers that video-tiles decides by.
struct VideoTilesRules: Hashable, Sendable {
  /// Most cameras in one meeting. Content shares do not count.
  var maxCameras = 25

  /// Most content shares in one meeting.
  var maxContentShares = 2

  /// Most cameras that a receiver gets without a subscription. Content shares do not count.
  var maxVideosWithoutSubscription = 25

  /// How long it waits for clients and gateways.
  var timing = OwnerTiming()

  /// How long a meeting without anybody is remembered.
  var emptyMeetingRetention: Duration = .seconds(600)

  /// How long an ended meeting is remembered, so that nobody comes to it late.
  var endedMeetingRetention: Duration = .seconds(60)

  /// How long new capabilities outweigh what a `Join` says, which may have read the store just
  /// before.
  var decisionMemory: Duration = .seconds(10)

  /// When a receiver's link is believed to carry more.
  var raising = RaisingRules()

  /// How long a layer that sent more than it had declared counts so.
  var excessMemory: Duration = .seconds(10)

  /// How long a source may be silent by what media says, which it does a second after the last
  /// packet: then its tile stands still, and that is told.
  var silence: Duration = .seconds(1)
}

/// When more bandwidth is used, see ``DownlinkBudget``.
struct RaisingRules: Hashable, Sendable {
  /// How long all estimates must have been higher at first: by a tenth or more, and by less.
  var hold: Duration = .milliseconds(400)
  var smallHold: Duration = .milliseconds(1_200)

  /// What `hold` doubles up to, as raises fail.
  var longestHold: Duration = .milliseconds(800)

  /// A raise has failed when the estimate falls a tenth below it within this time.
  var trial: Duration = .seconds(10)
}
