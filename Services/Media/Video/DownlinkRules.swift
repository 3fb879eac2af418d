/// The parameters of ``DownlinkEstimator``.
///
/// Rates are in bit/s.
struct DownlinkRules: Hashable, Sendable {
  /// The estimate before the first measurement.
  ///
  /// A video of a screen fits.
  var start = 5_000_000
  var floor = 64_000
  var cap = 20_000_000

  /// The loss above which the estimate falls.
  var highLoss = 0.10

  /// The loss above which the estimate does not rise.
  var lowLoss = 0.02

  /// The wait, or the increase of the round trip over its minimum, above which the estimate falls.
  var highDelay: Duration = .milliseconds(200)

  /// The same above which the estimate does not rise.
  var lowDelay: Duration = .milliseconds(50)

  /// The part of the delivered rate that remains after a fall.
  var backoff = 0.9

  /// The least part of the estimate that remains after a fall.
  ///
  /// By chance, nothing may have been delivered within half a second.
  var deepestFall = 0.5

  /// The same if only the round trip is longer.
  var deepestFarFall = 0.7

  /// The shortest time between two falls.
  ///
  /// A longer round trip replaces it.
  var fallInterval: Duration = .milliseconds(400)

  /// The time for which a report is valid.
  var reportLife: Duration = .seconds(3)

  /// The time after a fall during which the estimate does not rise.
  var holdTime: Duration = .seconds(1)

  /// The part of the estimate that must be used before it rises.
  var usedShare = 0.8

  /// The rise in a second, far from the rate of the last fall and near it.
  var fastRise = 0.15
  var slowRise = 0.03

  /// The length of a probe, the time to observe its effects, and its factor.
  var probeTime: Duration = .milliseconds(600)
  var probeAftermath: Duration = .milliseconds(400)
  var probeFactor = 1.5

  /// The pause between probes.
  ///
  /// It doubles after each failed probe, up to the second value.
  var probeInterval: Duration = .seconds(2)
  var longestProbeInterval: Duration = .seconds(16)
}
