import Ownership

/// The limits and times that video-tiles decides by.
struct VideoTilesRules: Hashable, Sendable {
  /// The most cameras in one meeting. Content shares do not count.
  var maxCameras = 25

  /// The most content shares in one meeting.
  var maxContentShares = 2

  /// The most cameras that a receiver gets without a subscription. Content shares do not count.
  var maxVideosWithoutSubscription = 25

  /// The times that it waits for clients and gateways.
  var timing = OwnerTiming()

  /// How long an empty meeting is remembered.
  var emptyMeetingRetention: Duration = .seconds(600)

  /// How long an ended meeting is remembered, so that late joins are rejected.
  var endedMeetingRetention: Duration = .seconds(60)

  /// How long new capabilities override a `Join`, whose gateway may have read the store just
  /// before.
  var decisionMemory: Duration = .seconds(10)

  /// The rules for raising a receiver's budget.
  var raising = RaisingRules()

  /// How long an excess over a layer's declared bitrate counts.
  var excessMemory: Duration = .seconds(10)

  /// How long media may report a source as silent before its tile counts as stalled, which is
  /// published.
  ///
  /// Media reports silence a second after the last packet.
  var silence: Duration = .seconds(1)
}

/// The rules for raising a budget, see ``DownlinkBudget``.
struct RaisingRules: Hashable, Sendable {
  /// How long all estimates must be higher before the first raise: `hold` for a tenth or more,
  /// `smallHold` for less.
  var hold: Duration = .milliseconds(400)
  var smallHold: Duration = .milliseconds(1_200)

  /// The limit up to which `hold` doubles as raises fail.
  var longestHold: Duration = .milliseconds(800)

  /// The time within which a fall of the estimate by a tenth makes a raise fail.
  var trial: Duration = .seconds(10)
}
