/// The numbers of ``DownlinkEstimator``. Rates are in bits per second.
struct DownlinkRules: Hashable, Sendable {
  /// What a link is taken for before anything is known of it: a video of a screen fits.
  var start = 5_000_000
  var floor = 64_000
  var cap = 20_000_000

  /// More loss than that makes the estimate fall.
  var highLoss = 0.10

  /// More loss than that keeps it from rising.
  var lowLoss = 0.02

  /// A longer wait, or a round trip that is so much longer than the shortest one, makes it fall.
  var highDelay: Duration = .milliseconds(200)

  /// A longer one keeps it from rising.
  var lowDelay: Duration = .milliseconds(50)

  /// What a fall leaves of the rate at which packets were delivered.
  var backoff = 0.9

  /// No fall takes more of it than that: in half a second nothing may have been delivered by
  /// chance.
  var deepestFall = 0.5

  /// The same where only the round trip is longer.
  var deepestFarFall = 0.7

  /// The least time between two falls, and a round trip at least.
  var fallInterval: Duration = .milliseconds(400)

  /// How long a report counts.
  var reportLife: Duration = .seconds(3)

  /// How long it does not rise after a fall.
  var holdTime: Duration = .seconds(1)

  /// How much of the estimate must be used for it to rise.
  var usedShare = 0.8

  /// How much the estimate rises in a second where it has not fallen before, and where it has.
  var fastRise = 0.15
  var slowRise = 0.03

  /// How long a probe lasts, how long its effects are waited for, and what it tries.
  var probeTime: Duration = .milliseconds(600)
  var probeAftermath: Duration = .milliseconds(400)
  var probeFactor = 1.5

  /// The pause between probes; doubles up to the second as they fail.
  var probeInterval: Duration = .seconds(2)
  var longestProbeInterval: Duration = .seconds(16)
}
