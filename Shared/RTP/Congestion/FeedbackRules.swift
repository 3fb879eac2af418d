/// The numbers of ``FeedbackEstimator``. Rates are in bits per second.
public struct FeedbackRules: Hashable, Sendable {
  /// What a link is taken for before anything is known of it.
  public var start = 1_000_000
  /// The least that a link is taken for.
  public var floor = 64_000
  /// The most.
  public var cap = 20_000_000

  /// Packets that waited no longer on the way have found no queue.
  public var lowDelay: Duration = .milliseconds(20)

  /// All packets of a feedback waited longer: more is sent than the link carries.
  public var highDelay: Duration = .milliseconds(60)

  /// Over what time is measured what arrives while there is a queue, at most and at least.
  public var longestSpan: Duration = .milliseconds(400)
  public var shortestSpan: Duration = .milliseconds(80)

  /// Over what time is measured what arrives while there is none: several frames, because between
  /// two frames of one sender there is room for those of others.
  public var freeSpan: Duration = .milliseconds(300)

  /// What may be under way beyond what the path holds, as time at the estimate: so much at this
  /// rate, and by the square root of it more of a lower one and less of a higher one, within a
  /// range.
  /// A queue is shared by what each has in it, so that who has less of a link gets more.
  public var slack: Duration = .milliseconds(100)
  public var slackRate = 800_000.0
  public var slackRange = 0.6...1.5

  /// What may be under way in any case, in bytes.
  public var leastWindow = 3_600

  /// How long a probe lasts, and how much of the estimate it sends.
  public var probeTime: Duration = .milliseconds(100)
  public var probeFactor = 2.0

  /// The pause after a probe that has passed, and after one that has not.
  public var passedPause: Duration = .milliseconds(40)
  public var failedPause: Duration = .milliseconds(1_000)

  /// How much of what a passed probe shows is believed, where the link has been found to end
  /// somewhere.
  public var passedShare = 0.6

  /// How much of what a probe shows that came spread out.
  public var spreadShare = 0.25

  /// How much of the way to what arrives the estimate goes with each feedback while there is a
  /// queue, down and up.
  public var fallShare = 0.5
  public var riseShare = 0.2

  /// What arrives with less than this share of the rate it was sent at has met a narrow link.
  public var slowerShare = 0.75

  /// How long a delay stands before it is looked at whether it is the way's own, and how long that
  /// may take in each of its two parts.
  public var standingTime: Duration = .milliseconds(500)
  public var longestCheck: Duration = .seconds(1)

  /// How many packets must say so, and the pause before the next look: in general, and where the
  /// estimate has fallen by a third or more since.
  public var checkedPackets = 3
  public var checkInterval: Duration = .seconds(10)
  public var fallenCheckInterval: Duration = .seconds(1)

  /// How much faster than the estimate is sent after a look, until as much is under way as may be.
  public var openingFactor = 1.25

  /// How long nothing may be heard while packets are under way; then it falls.
  public var silence: Duration = .seconds(1)

  /// More loss than that makes the estimate fall.
  public var highLoss = 0.10

  /// Makes the usual ones.
  public init() {}
}
