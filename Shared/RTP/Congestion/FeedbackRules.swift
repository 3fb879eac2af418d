/// The parameters of ``FeedbackEstimator``; rates are in bit/s.
public struct FeedbackRules: Hashable, Sendable {
  /// The initial estimate.
  public var start = 1_000_000
  /// The least estimate.
  public var floor = 64_000
  /// The highest estimate.
  public var cap = 20_000_000

  /// The queueing delay up to which packets count as not delayed.
  public var lowDelay: Duration = .milliseconds(20)

  /// The delay of all packets of a feedback above which the sender exceeds the link's capacity.
  public var highDelay: Duration = .milliseconds(60)

  /// The longest and shortest span over which arrivals are measured while there is a queue.
  public var longestSpan: Duration = .milliseconds(400)
  public var shortestSpan: Duration = .milliseconds(80)

  /// The span over which arrivals are measured without a queue.
  ///
  /// It covers several frames, because between two frames of one sender there is room for others'
  /// frames.
  public var freeSpan: Duration = .milliseconds(300)

  /// The time at the estimate that may be in flight beyond the path's capacity.
  ///
  /// It applies at `slackRate`, and scales with the square root of `slackRate` divided by the
  /// estimate, within a range. Senders share a queue in proportion to their packets in it, so a
  /// sender with a smaller share of a link gains.
  public var slack: Duration = .milliseconds(100)
  public var slackRate = 800_000.0
  public var slackRange = 0.6...1.5

  /// The least window in bytes.
  public var leastWindow = 3_600

  /// The duration of a probe, and its rate relative to the estimate.
  public var probeTime: Duration = .milliseconds(100)
  public var probeFactor = 2.0

  /// The pauses after a probe that passed, and after one that did not.
  public var passedPause: Duration = .milliseconds(40)
  public var failedPause: Duration = .milliseconds(1_000)

  /// The share of a passed probe's increase that is applied once a limit of the link is known.
  public var passedShare = 0.6

  /// The share of the increase that is applied after a spread probe.
  public var spreadShare = 0.25

  /// The shares of the distance to the arrival rate by which the estimate moves down and up, with
  /// each feedback during a queue.
  public var fallShare = 0.5
  public var riseShare = 0.2

  /// The ratio of arrival rate to send rate below which packets have met a narrow link.
  public var slowerShare = 0.75

  /// The time that a delay lasts before a path check, and the longest duration of each of the
  /// check's two parts.
  public var standingTime: Duration = .milliseconds(500)
  public var longestCheck: Duration = .seconds(1)

  /// The packets needed for a finding, and the pauses before the next check: in general, and after
  /// the estimate has fallen to less than 70 %.
  public var checkedPackets = 3
  public var checkInterval: Duration = .seconds(10)
  public var fallenCheckInterval: Duration = .seconds(1)

  /// The factor to the estimate at which the window opens after a check, until it is full.
  public var openingFactor = 1.25

  /// The time without feedback while packets are in flight after which the estimate falls.
  public var silence: Duration = .seconds(1)

  /// The loss above which the estimate falls.
  public var highLoss = 0.10

  /// Creates the default rules.
  public init() {}
}
