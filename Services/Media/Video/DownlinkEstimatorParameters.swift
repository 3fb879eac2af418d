/// The parameters of ``DownlinkEstimator``.
///
/// Rates are in bit/s.
struct DownlinkEstimatorParameters: Hashable, Sendable {
  /// The estimate before the first measurement. This bitrate is enough for the video of a screen.
  var start = 5_000_000
  var floor = 64_000
  var cap = 20_000_000

  /// The loss above which the estimate falls: the loss in the last report, and the mean loss of the
  /// last reports.
  var highLoss = 0.10

  /// The loss in one report above which the estimate falls, whatever the mean loss is.
  var severeLoss = 0.25

  /// The weight of the last report in the mean loss.
  var lossWeight = 0.125

  /// The loss above which the estimate does not rise.
  var lowLoss = 0.02

  /// The delay above which the estimate falls. ``DownlinkEstimator`` defines the delay.
  var highDelay: Duration = .milliseconds(200)

  /// The delay above which the estimate does not rise.
  var lowDelay: Duration = .milliseconds(50)

  /// The estimate after a fall, as a share of the delivered rate.
  var backoff = 0.9

  /// The lowest estimate after a fall, as a share of the former estimate.
  ///
  /// This limit is necessary because the link may by chance have delivered nothing within half a
  /// second.
  var deepestFall = 0.5

  /// The lowest estimate after a fall, as a share of the former estimate, if only the round trip
  /// shows the delay.
  var deepestFarFall = 0.7

  /// The minimum time between two falls. If the round trip is longer, the minimum is one round
  /// trip.
  var fallInterval: Duration = .milliseconds(400)

  /// The time for which a report is valid.
  var reportLife: Duration = .seconds(3)

  /// How long the estimate does not rise after a fall.
  var holdTime: Duration = .seconds(1)

  /// The minimum sent bitrate at which the estimate rises, as a share of the estimate.
  var usedShare = 0.8

  /// The rise of the estimate per second. `fastRise` applies far from the rate of the last fall,
  /// and `slowRise` applies near this rate.
  var fastRise = 0.15
  var slowRise = 0.03

  /// The length of a probe. `probeAftermath` is the time to observe the probe's effects, and
  /// `probeFactor` is the probe's rate relative to the estimate.
  var probeTime: Duration = .milliseconds(600)
  var probeAftermath: Duration = .milliseconds(400)
  var probeFactor = 1.5

  /// The pause between probes. After each failed probe, the pause doubles, up to
  /// `longestProbeInterval`.
  var probeInterval: Duration = .seconds(2)
  var longestProbeInterval: Duration = .seconds(16)
}
