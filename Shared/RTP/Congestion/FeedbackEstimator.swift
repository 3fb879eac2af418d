/// An estimator of a link's capacity from the arrival time of each packet (``SentLog``).
///
/// - A delay above the minimum shows that packets wait in a queue. In this case, the arrival rate
///   is the capacity. With each feedback message, the estimate falls by half of its distance to the
///   arrival rate, or rises by a smaller share of this distance.
/// - Without a queue, the capacity is at least the arrival rate, so the estimate rises at least to
///   this rate.
/// - While the estimate is below the sender's demand, a short burst probes twice the estimate. The
///   burst contains padding if the sender has too little data. If the burst arrives as fast as this
///   side sent it, the burst's rate becomes the new estimate, and this side sends the next burst
///   without a long pause. Once the estimator knows a limit of the link, the estimator applies only
///   60 % of the increase. If the burst arrives more slowly than this side sent it, the link
///   carries only the arrival rate, and the next burst waits 1 s.
/// - After each second without feedback while packets are in flight, the estimate falls by a third.
///   At more than 10 % loss, the estimate falls by half of the lost share.
/// - If a delay remains although the sender sends almost nothing, the cause of the delay is the
///   path, not a queue (``StandingQueueCheck``).
///
/// The window is the number of bytes that the path itself contains, plus the number of bytes that
/// this side sends in about 0.1 s at the estimated rate. So the sender's packets form a queue of at
/// most about 0.1 s, unless the link becomes slower.
public struct FeedbackEstimator: LinkEstimator {
  private enum Probe: Sendable {
    case resting(until: Int64)
    case running(ProbeTrain, sent: Int)
    case judging(ProbeTrain, until: Int64)
  }

  private let rules: FeedbackEstimatorParameters
  private var rate: Double
  private var transit = BaseDelayFilter()
  private var trips = BaseDelayFilter()
  private var curve = PacketArrivalCurve()

  /// The arrival time of the first packet in the current series of packets that a queue delayed.
  private var busySince: Int64?

  /// The least delay of the packets in this feedback message, in microseconds.
  private var leastDelay: Int64 = .max

  /// The newest send time of the packets in this feedback message, in microseconds.
  private var newestSent: Int64 = .min
  private var probe: Probe
  private var check: StandingQueueCheck

  /// The maximum number of bytes in flight after a path check. The window grows gradually to avoid
  /// a queue.
  private var opening: Double?
  private var advancedAt: MonotonicTime
  private var heardAt: MonotonicTime
  private var fellSilentAt: MonotonicTime
  private var losses = (lost: 0, arrived: 0)
  private var lossesSince: MonotonicTime

  /// The queueing delay at the last feedback message, in microseconds.
  public private(set) var queueingDelay: Int64 = 0

  public private(set) var isKnown = false

  /// Creates an estimator of an unknown link.
  public init(
    _ rules: FeedbackEstimatorParameters = FeedbackEstimatorParameters(), at now: MonotonicTime
  ) {
    self.rules = rules
    rate = Double(rules.start)
    probe = .resting(until: now.microseconds)
    check = StandingQueueCheck(rules)
    (heardAt, fellSilentAt, lossesSince, advancedAt) = (now, now, now, now)
  }

  public var bitsPerSecond: Int { Int(rate) }

  public var roundTrip: Int64 { trips.least ?? 0 }

  public var window: Int {
    if check.isRunning { return rules.leastWindow }
    return max(Int(min(opening ?? .infinity, wholeWindow)), rules.leastWindow)
  }

  private var wholeWindow: Double {
    let path = Double(min(trips.least ?? 0, 1_000_000))
    let share = (rules.slackRate / rate).squareRoot()
    let bounded = min(max(share, rules.slackRange.lowerBound), rules.slackRange.upperBound)
    let held = rate / 8_000_000 * (path + Double(rules.slack.wholeUs) * bounded)
    // During a probe, the window is twice as large as normal.
    if case .running = probe { return held * 2 }
    return held
  }

  // MARK: Measurements

  public mutating func send(_ bytes: Int, at now: MonotonicTime) {
    if case .running(let train, let sent) = probe { probe = .running(train, sent: sent + bytes) }
  }

  public mutating func take(_ arrival: PacketArrival, at now: MonotonicTime) {
    transit.take(arrival.transit, at: now)
    let delay = arrival.transit - (transit.least ?? arrival.transit)
    leastDelay = min(leastDelay, delay)
    newestSent = max(newestSent, arrival.sentAt)
    curve.add(arrival.bytes, at: arrival.arrivedAt, sentAt: arrival.sentAt)
    check.take(arrival, at: now)
    if delay <= lowDelay {
      busySince = nil
    } else {
      busySince = busySince ?? arrival.arrivedAt
    }
    switch probe {
    case .resting: break
    case .running(var train, let sent):
      train.take(arrival)
      probe = .running(train, sent: sent)
    case .judging(var train, let until):
      train.take(arrival)
      probe = .judging(train, until: until)
    }
  }

  public mutating func conclude(
    _ outcome: SentLog.FeedbackResult, isBacklogged: Bool, at now: MonotonicTime
  ) {
    guard outcome.arrived > 0 else { return }
    heardAt = now
    trips.take(now.microseconds - newestSent, at: now)
    queueingDelay = leastDelay
    takeLoss(outcome, at: now)
    if check.isRunning {
      // During a path check, this code ignores the arrival rate. This rate may be low only because
      // the check has reduced the window.
    } else if leastDelay > rules.highDelay.wholeUs || isBacklogged && leastDelay > lowDelay {
      followQueue(isBacklogged: isBacklogged)
    } else if leastDelay <= lowDelay,
      let carried = curve.rate(
        since: .min, longest: rules.freeSpan.wholeUs, shortest: rules.shortestSpan.wholeUs)
    {
      rate = max(rate, min(carried.arrived, carried.sent, rate * 2))
    }
    check.note(isDelayed: leastDelay > rules.lowDelay.wholeUs, rate: rate, at: now)
    leastDelay = .max
    keepWithinBounds()
  }

  /// If the delay of a packet is at most this value, the estimator assumes that the packet did not
  /// wait in a queue. This value includes the transmission time of one packet.
  private var lowDelay: Int64 { rules.lowDelay.wholeUs + Int64(Self.packet * 1_000_000 / rate) }

  /// The size of a large packet, in bits.
  private static let packet = 9_600.0

  private mutating func followQueue(isBacklogged: Bool) {
    guard let busySince,
      let carried = curve.rate(
        since: busySince, longest: rules.longestSpan.wholeUs,
        shortest: rules.shortestSpan.wholeUs)
    else { return }
    // If packets arrive as fast as this side sent them, something other than a full link delays
    // them.
    let isSlower = carried.arrived < carried.sent * rules.slowerShare
    guard isBacklogged || isSlower || carried.arrived > rate else { return }
    isKnown = true
    rate +=
      (carried.arrived < rate ? rules.fallShare : rules.riseShare) * (carried.arrived - rate)
  }

  private mutating func takeLoss(_ outcome: SentLog.FeedbackResult, at now: MonotonicTime) {
    losses.lost += outcome.lost
    losses.arrived += outcome.arrived
    guard now.microseconds(since: lossesSince) >= 1_000_000 else { return }
    let sum = losses.lost + losses.arrived
    let share = sum >= 20 ? Double(losses.lost) / Double(sum) : 0
    if share > rules.highLoss {
      rate *= 1 - share / 2
      isKnown = true
    }
    losses = (0, 0)
    lossesSince = now
  }

  private mutating func keepWithinBounds() {
    rate = min(max(rate, Double(rules.floor)), Double(rules.cap))
  }

  public mutating func limit(to bitsPerSecond: UInt64) {
    rate = min(rate, max(Double(bitsPerSecond), Double(rules.floor)))
  }

  // MARK: Time

  public mutating func advance(to now: MonotonicTime, _ demand: LinkDemand) {
    if demand.bytesInFlight == 0 { heardAt = now }
    if now - heardAt > rules.silence, now - fellSilentAt > rules.silence {
      fellSilentAt = now
      rate *= 2 / 3
      isKnown = true
    }
    look(at: now, demand)
    steerProbe(at: now, demand)
    if Int(rate) >= demand.goal, demand.goal > 0 { isKnown = true }
    keepWithinBounds()
  }

  /// Advances the path check. After the check, enlarges the window.
  private mutating func look(at now: MonotonicTime, _ demand: LinkDemand) {
    let elapsed = Double(now.microseconds(since: advancedAt))
    advancedAt = now
    if check.isRunning {
      opening = Double(rules.leastWindow)
    } else if let opening {
      let more = opening + rate / 8_000_000 * elapsed * rules.openingFactor
      self.opening = more < wholeWindow ? more : nil
    }
    if let found = check.advance(to: now, bytesInFlight: demand.bytesInFlight, rate: rate) {
      transit.replace(by: found.transit, at: now)
      trips.replace(by: found.trip, at: now)
      busySince = nil
    }
  }

  private mutating func steerProbe(at now: MonotonicTime, _ demand: LinkDemand) {
    switch probe {
    case .resting(let until):
      guard now.microseconds >= until, Int(rate) < demand.goal, !demand.isBacklogged,
        queueingDelay <= lowDelay, trips.least != nil, rate < Double(rules.cap)
      else { return }
      let train = ProbeTrain(
        target: rate * rules.probeFactor, from: now.microseconds,
        until: (now + rules.probeTime).microseconds)
      probe = .running(train, sent: 0)
    case .running(let train, _):
      guard now.microseconds > train.end else { return }
      probe = .judging(train, until: now.microseconds + 1_000_000)
    case .judging(let train, let until):
      guard newestSent > train.end || demand.bytesInFlight == 0 || now.microseconds > until
      else { return }
      judge(train, at: now)
    }
  }

  private mutating func judge(_ train: ProbeTrain, at now: MonotonicTime) {
    switch train.outcome {
    case .passed(let carried):
      // On a shared link, a burst may use capacity that other senders leave unused only for a
      // moment.
      let rise = max(0, min(carried, train.target) - rate)
      rate += isKnown ? rise * rules.passedShare : rise
      probe = .resting(until: (now + rules.passedPause).microseconds)
    case .spread(let carried):
      isKnown = true
      if carried > rate {
        rate += rules.spreadShare * (min(carried, train.target) - rate)
      }
      probe = .resting(until: (now + rules.failedPause).microseconds)
    case .unclear:
      probe = .resting(until: (now + rules.failedPause).microseconds)
    }
  }

  public mutating func takePadding(at now: MonotonicTime) -> Int {
    guard case .running(let train, let sent) = probe, now.microseconds <= train.end else {
      return 0
    }
    let elapsed = Double(now.microseconds - train.start + 10_000)
    return max(0, Int(train.target * elapsed / 8_000_000) - sent)
  }
}
