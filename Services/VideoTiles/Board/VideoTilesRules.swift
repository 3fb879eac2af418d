import Ownership

/// The limits and durations of `video-tiles`.
struct VideoTilesRules: Hashable, Sendable {
  /// The maximum number of cameras in one meeting, not counting content shares.
  var maxCameras = 25

  /// The maximum number of content shares in one meeting.
  var maxContentShares = 2

  /// The maximum number of cameras that a receiver gets without a subscription. Content shares do
  /// not count.
  var maxVideosWithoutSubscription = 25

  /// The times that the service waits for silent clients and gateways, and for the announcements of
  /// gateways.
  var timing = OwnerGracePeriods()

  /// How long the service remembers an empty meeting.
  var emptyMeetingRetention: Duration = .seconds(600)

  /// How long the service remembers an ended meeting, so that the service rejects late joins.
  var endedMeetingRetention: Duration = .seconds(60)

  /// How long new capabilities override a `Join`. The gateway that sends the `Join` may have read
  /// the store just before the change.
  var decisionMemory: Duration = .seconds(10)

  /// The rules for raising a receiver's budget.
  var raising = BudgetIncreaseRules()

  /// How long a measured bitrate above a layer's declared bitrate applies. The time starts again
  /// with each measurement that is at least as high as the bitrate that applies.
  var excessMemory: Duration = .seconds(10)

  /// How long `media` may report a source as silent before the board reports the source's tile as
  /// stalled. The service then publishes the stall.
  ///
  /// `media` reports silence a second after the last packet.
  var silence: Duration = .seconds(1)
}

/// The rules for raising a budget (``DownlinkBudget``).
struct BudgetIncreaseRules: Hashable, Sendable {
  /// How long all estimates must exceed the budget before the first raise: `hold` if the estimates
  /// exceed the budget by at least a tenth, otherwise `smallHold`.
  var hold: Duration = .milliseconds(400)
  var smallHold: Duration = .milliseconds(1_200)

  /// The maximum of `hold`. `hold` doubles after each failed raise.
  var longestHold: Duration = .milliseconds(800)

  /// How long after a raise the service watches the estimate. If the estimate falls by a tenth
  /// below the raised budget within this time, the raise has failed.
  var trial: Duration = .seconds(10)
}
