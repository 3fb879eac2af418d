/// The parameters of ``FeedbackEstimator``; rates are in bit/s.
public struct FeedbackEstimatorParameters: Hashable, Sendable {
  /// The initial estimate.
  public var start = 1_000_000
  /// The least estimate.
  public var floor = 64_000
  /// The highest estimate.
  public var cap = 20_000_000

  /// The queueing delay up to which the estimator regards packets as not delayed.
  public var lowDelay: Duration = .milliseconds(20)

  /// A threshold for queueing delays. If the delay of every packet in a feedback message is above
  /// this threshold, the sender exceeds the link's capacity.
  public var highDelay: Duration = .milliseconds(60)

  /// The longest span over which the estimator measures arrivals while there is a queue.
  public var longestSpan: Duration = .milliseconds(400)

  /// The shortest span over which the estimator measures arrivals while there is a queue.
  public var shortestSpan: Duration = .milliseconds(80)

  /// The span over which the estimator measures arrivals while the path has no queue.
  ///
  /// The span covers several frames, because other senders' packets may arrive between two frames
  /// of one sender.
  public var freeSpan: Duration = .milliseconds(300)

  /// The time that determines how far the bytes in flight may exceed the path's own capacity. The
  /// maximum excess is the number of bytes that a sender at the estimated rate sends in this time.
  ///
  /// The value applies when the estimate is ``slackRate``. At another estimate, the estimator
  /// multiplies the value by a factor: the square root of the quotient of ``slackRate`` and the
  /// estimate, limited to ``slackRange``. Senders share a link in proportion to their packets in
  /// the link's queue, so this factor helps a sender with a small share of the link.
  public var slack: Duration = .milliseconds(100)

  /// The estimate at which ``slack`` applies unchanged.
  public var slackRate = 800_000.0

  /// The range of the factor that multiplies ``slack``.
  public var slackRange = 0.6...1.5

  /// The least window in bytes.
  public var leastWindow = 3_600

  /// The duration of a probe.
  public var probeTime: Duration = .milliseconds(100)

  /// The rate of a probe, as a multiple of the estimate.
  public var probeFactor = 2.0

  /// The pause after a probe whose packets arrived as fast as the sender sent them.
  public var passedPause: Duration = .milliseconds(40)

  /// The pause after a probe if its packets arrived more slowly, or if too few of its packets
  /// arrived.
  public var failedPause: Duration = .milliseconds(1_000)

  /// Once the estimator knows a limit of the link, a probe whose packets arrived as fast as the
  /// sender sent them raises the estimate by this share of the distance between the estimate and
  /// the rate that the probe found.
  public var passedShare = 0.6

  /// If the packets of a probe arrive more slowly than the sender sent them, the probe raises the
  /// estimate by this share of the distance between the estimate and the rate that the probe found.
  public var spreadShare = 0.25

  /// While there is a queue, each feedback message lowers the estimate by this share of the
  /// distance between the estimate and the arrival rate.
  public var fallShare = 0.5

  /// While there is a queue, each feedback message raises the estimate by this share of the
  /// distance between the estimate and the arrival rate.
  public var riseShare = 0.2

  /// If the ratio of arrival rate to send rate is below this value, the packets have passed a link
  /// that is slower than the send rate.
  public var slowerShare = 0.75

  /// How long a delay must last before the sender checks whether the path itself has become longer
  /// (`StandingQueueCheck`).
  public var standingTime: Duration = .milliseconds(500)

  /// The longest duration of each of the two parts of a path check.
  public var longestCheck: Duration = .seconds(1)

  /// The number of packets that a path check needs to measure the delay of the path.
  public var checkedPackets = 3

  /// The usual pause between two path checks.
  public var checkInterval: Duration = .seconds(10)

  /// The pause between two path checks after the estimate has fallen below 70 % of its value at the
  /// last check.
  public var fallenCheckInterval: Duration = .seconds(1)

  /// The rate at which the window grows after a check, as a multiple of the estimate.
  public var openingFactor = 1.25

  /// How long feedback may be missing, while packets are in flight, before the estimate falls.
  public var silence: Duration = .seconds(1)

  /// The loss above which the estimate falls.
  public var highLoss = 0.10

  /// Creates the default parameters.
  public init() {}
}
