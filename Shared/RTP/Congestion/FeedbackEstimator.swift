/// What a link carries, by when each packet arrived (``SentLog``).
///
/// - While packets find a queue on the way, what arrives is what the link carries: the estimate is
///   that, from above at once and from below by and by. The queue is seen by how much longer
///   packets take than they did at best.
/// - While they find none, what arrives is carried at least: the estimate is no lower.
/// - As long as it is lower than what its sender would send, a short burst tries twice of it,
///   padded where there is not enough to send. It comes as it was sent: that is the new estimate,
///   or most of the way to it where the link was found to end somewhere, and the next burst
///   follows. It comes spread out: the link carries what came, and the next one waits.
/// - When nothing is heard for a second although packets are under way, it falls by a third, and so
///   on; and with more than 10 % of loss by half of the lost part.
/// - A delay that does not go away although next to nothing is sent is the way's own
///   (``PathCheck``).
///
/// No more may be under way than the path itself holds and about a tenth of a second at the
/// estimate: so no queue becomes longer than that by its own packets, but for what was under way
/// when the link became slower.
public struct FeedbackEstimator: LinkEstimator {
  private enum Probe: Sendable {
    case resting(until: Int64)
    case running(ProbeTrain, sent: Int)
    case judging(ProbeTrain, until: Int64)
  }

  private let rules: FeedbackRules
  private var rate: Double
  private var transit = DelayBase()
  private var trips = DelayBase()
  private var curve = ArrivalCurve()

  /// Since when each packet has found a queue, by the receiver's clock.
  private var busySince: Int64?

  /// The least and the last that packets of this feedback have waited, in microseconds.
  private var leastDelay: Int64 = .max
  private var newestSent: Int64 = .min
  private var probe: Probe
  private var check: PathCheck

  /// After a check: so many bytes may be under way by now. All at once would make a queue.
  private var opening: Double?
  private var advancedAt: MediaTime
  private var heardAt: MediaTime
  private var fellSilentAt: MediaTime
  private var losses = (lost: 0, arrived: 0)
  private var lossesSince: MediaTime

  /// How long packets wait on the way, by the last feedback, in microseconds.
  public private(set) var queueingDelay: Int64 = 0

  public private(set) var isKnown = false

  /// Makes one of a link of which nothing is known.
  public init(_ rules: FeedbackRules = FeedbackRules(), at now: MediaTime) {
    self.rules = rules
    rate = Double(rules.start)
    probe = .resting(until: now.microseconds)
    check = PathCheck(rules)
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
    // A probe is what may pass beyond it.
    if case .running = probe { return held * 2 }
    return held
  }

  // MARK: Measurements

  public mutating func send(_ bytes: Int, at now: MediaTime) {
    if case .running(let train, let sent) = probe { probe = .running(train, sent: sent + bytes) }
  }

  public mutating func take(_ arrival: PacketArrival, at now: MediaTime) {
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
    _ outcome: SentLog.Outcome, isBacklogged: Bool, at now: MediaTime
  ) {
    guard outcome.arrived > 0 else { return }
    heardAt = now
    trips.take(now.microseconds - newestSent, at: now)
    queueingDelay = leastDelay
    takeLoss(outcome, at: now)
    if check.isRunning {
      // What comes is what was let through.
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

  /// How long packets wait that find no queue: one of them may be in the midst of its way.
  private var lowDelay: Int64 { rules.lowDelay.wholeUs + Int64(Self.packet * 1_000_000 / rate) }

  /// A large packet, in bits.
  private static let packet = 9_600.0

  private mutating func followQueue(isBacklogged: Bool) {
    guard let busySince,
      let carried = curve.rate(
        since: busySince, longest: rules.longestSpan.wholeUs,
        shortest: rules.shortestSpan.wholeUs)
    else { return }
    // What came as fast as it was sent was late for another reason: it says nothing of the link.
    let isSlower = carried.arrived < carried.sent * rules.slowerShare
    guard isBacklogged || isSlower || carried.arrived > rate else { return }
    isKnown = true
    rate +=
      (carried.arrived < rate ? rules.fallShare : rules.riseShare) * (carried.arrived - rate)
  }

  private mutating func takeLoss(_ outcome: SentLog.Outcome, at now: MediaTime) {
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

  public mutating func advance(to now: MediaTime, _ demand: LinkDemand) {
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

  /// Whether the way is as long as it was, and how much may be under way after such a look.
  private mutating func look(at now: MediaTime, _ demand: LinkDemand) {
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

  private mutating func steerProbe(at now: MediaTime, _ demand: LinkDemand) {
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

  private mutating func judge(_ train: ProbeTrain, at now: MediaTime) {
    switch train.outcome {
    case .passed(let carried):
      // Of a link that others use too a burst may take what they leave for a moment alone.
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

  public mutating func takePadding(at now: MediaTime) -> Int {
    guard case .running(let train, let sent) = probe, now.microseconds <= train.end else {
      return 0
    }
    let elapsed = Double(now.microseconds - train.start + 10_000)
    return max(0, Int(train.target * elapsed / 8_000_000) - sent)
  }
}
