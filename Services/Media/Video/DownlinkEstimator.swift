import RTP

/// What the link of a receiver carries whose client sends no congestion control feedback.
///
/// In the manner of congestion controllers for RTP it looks at loss (from receiver reports) and
/// delay (how long packets wait here, and how much longer the round trip is than it was at best),
/// and at how much is sent:
///
/// - More than 10 % loss: it falls by half of the lost part.
/// - More than 200 ms of delay that does not shrink: it falls to 90 % of what was delivered over
///   the last half second, less what was lost, which is what the link carries while packets wait;
///   to half of what it was at most, or to 70 % where only the round trip tells of it: what was
///   sent then is less than the link carries if layers have been left out since.
/// - It falls at most once in 400 ms or a round trip, and once for each report.
/// - It rises while there is neither (less than 2 % and 50 ms), no sooner than a second after a
///   fall, and only when at least 80 % of it is used: by 15 % a second, and by 3 % near the rate at
///   which it fell last. It never rises above one and a half times what is sent.
/// - When less is used and the receiver would get more, a probe is sent every 2 s: padding up to
///   1.5 times the estimate for 600 ms. If neither loss nor delay follows within 400 ms, that is
///   the new estimate; else the next probe waits twice as long, up to 16 s.
/// - When nothing is sent to a receiver that would get more, nothing can be measured: it rises by
///   15 % a second, so that one whose tiles are all paused gets the lowest layer again, which then
///   shows what the link carries. What was reported more than 3 s ago counts no more: nobody
///   reports while nothing is sent.
///
/// Starts at 1.5 Mbit/s, stays within 64 kbit/s and 20 Mbit/s. Deterministic: time and measurements
/// come from outside.
struct DownlinkEstimator: LinkEstimator {
  private enum Probe: Sendable {
    case resting(until: MediaTime)
    case running(target: Double, until: MediaTime)
    case judging(target: Double, until: MediaTime)
  }

  private let rules: DownlinkRules
  private var rate: Double
  private var sent = RateMeter()
  private var delivered = DeliveryMeter()
  private var backlogBytes = 0
  private var isBacklogShrinking = false
  private var loss = 0.0
  private var reportedAt: MediaTime?
  private(set) var roundTrip: Int64 = 0
  /// The last report told of a round trip that is no shorter than the one before, and nothing was
  /// concluded from it.
  private var isNewTrip = false
  private var lastRoundTrip: Int64 = 0
  private var shortestRoundTrip: Int64 = .max
  private var shortestAt: MediaTime?
  private var fellAt: MediaTime?
  private var fellFrom: Double?
  private var advancedAt: MediaTime
  private var probe: Probe
  private var probeInterval: Int64
  private var paddedAt: MediaTime?

  init(_ rules: DownlinkRules, at now: MediaTime) {
    self.rules = rules
    rate = Double(rules.start)
    advancedAt = now
    probeInterval = rules.probeInterval.wholeUs
    probe = .resting(until: now + rules.probeInterval)
  }

  /// What the link carries, in bits per second.
  var estimate: Int { Int(rate) }

  /// How long the waiting packets would take at the estimate.
  var backlogUs: Int64 { Int64(Double(backlogBytes) * 8_000_000 / rate) }

  var bitsPerSecond: Int { estimate }

  var isKnown: Bool { true }

  /// What the system and the peer's program hold is not known of such a client; what the system
  /// holds is looked at by who sends.
  var window: Int { .max }

  // MARK: Measurements

  mutating func send(_ bytes: Int, at now: MediaTime) {
    sent.add(bytes, at: now)
    delivered.send(bytes)
  }

  mutating func measure(backlog: Int, at now: MediaTime) {
    isBacklogShrinking = backlog < backlogBytes
    backlogBytes = backlog
    delivered.measure(backlog: backlog, at: now)
  }

  mutating func report(lossFraction: Double, roundTrip: Int64?, at now: MediaTime) {
    loss = min(max(lossFraction, 0), 1)
    reportedAt = now
    guard let roundTrip else { return }
    // By the mean a queue would seem to grow until its peak is long past.
    isNewTrip = roundTrip >= lastRoundTrip
    lastRoundTrip = roundTrip
    self.roundTrip = self.roundTrip == 0 ? roundTrip : (self.roundTrip * 3 + roundTrip) / 4
    // A path may become longer for good: what was best is forgotten in time.
    let isOld = shortestAt.map { now.microseconds(since: $0) > 30_000_000 } ?? true
    if isOld || roundTrip <= shortestRoundTrip {
      shortestRoundTrip = roundTrip
      shortestAt = now
    }
  }

  mutating func limit(to bitsPerSecond: UInt64) {
    rate = min(rate, max(Double(bitsPerSecond), Double(rules.floor)))
  }

  // MARK: The estimate

  /// Draws conclusions. Call it every 20 to 200 ms.
  ///
  /// - Parameter wantsMore: The receiver would get more if the estimate were higher.
  mutating func advance(to now: MediaTime, wantsMore: Bool) {
    let elapsed = min(Double(now.microseconds(since: advancedAt)) / 1_000_000, 1)
    advancedAt = now
    guard wantsMore || !isAtRest else { return }
    if let reportedAt, now.microseconds(since: reportedAt) > rules.reportLife.wholeUs {
      loss = 0
      if shortestRoundTrip != .max { roundTrip = shortestRoundTrip }
    }
    if isOverused { fall(at: now) } else { rise(by: elapsed, at: now, wantsMore: wantsMore) }
    // Nothing may have arrived at all: what follows divides by the rate.
    keepWithinBounds()
    steerProbe(at: now, wantsMore: wantsMore)
    keepWithinBounds()
  }

  private mutating func keepWithinBounds() {
    rate = min(max(rate, Double(rules.floor)), Double(rules.cap))
  }

  /// Nothing is sent, waits, is lost or is probed: there is nothing to learn. So it is for most of
  /// an audience that only listens, which must not cost anything in each tick.
  private var isAtRest: Bool {
    guard case .resting = probe else { return false }
    return sent.total == 0 && backlogBytes == 0 && loss == 0 && !isDelayed
  }

  private var isDelayed: Bool {
    shortestRoundTrip != .max && roundTrip - shortestRoundTrip >= rules.lowDelay.wholeUs
  }

  /// How long packets wait on the way, by the round trip.
  private var queued: Int64 { shortestRoundTrip == .max ? 0 : roundTrip - shortestRoundTrip }

  private var delay: Int64 { max(backlogUs, queued) }

  /// More waits than may, and does not become less.
  private var isLate: Bool {
    isBacklogged || queued > rules.highDelay.wholeUs && isNewTrip
  }

  private var isBacklogged: Bool {
    backlogUs > rules.highDelay.wholeUs && !isBacklogShrinking
  }

  private var isOverused: Bool { loss > rules.highLoss || isLate }

  private var isClear: Bool {
    loss < rules.lowLoss && delay < rules.lowDelay.wholeUs
  }

  private mutating func fall(at now: MediaTime) {
    let interval = max(rules.fallInterval.wholeUs, roundTrip)
    if let fellAt, now.microseconds(since: fellAt) < interval { return }
    fellAt = now
    let (isLate, isBacklogged) = (isLate, isBacklogged)
    let carried = isLate ? min(rate, delivered.bitsPerSecond * (1 - loss)) : rate
    fellFrom = carried
    let fallen = isLate ? carried * rules.backoff : carried * (1 - loss / 2)
    rate = max(fallen, rate * (isBacklogged ? rules.deepestFall : rules.deepestFarFall))
    // The same report must not count twice.
    (loss, isNewTrip) = (0, false)
  }

  private mutating func rise(by elapsed: Double, at now: MediaTime, wantsMore: Bool) {
    if let fellAt, now.microseconds(since: fellAt) < rules.holdTime.wholeUs { return }
    guard isClear else { return }
    let used = Double(sent.perSecond(at: now) * 8)
    guard used == 0 ? wantsMore : used >= rules.usedShare * rate else { return }
    let isNear = fellFrom.map { abs(rate - $0) < 0.2 * $0 } ?? false
    if let fellFrom, rate > fellFrom * 1.2 { self.fellFrom = nil }
    let risen = rate * (1 + (isNear ? rules.slowRise : rules.fastRise) * elapsed)
    rate = used == 0 ? risen : max(rate, min(risen, used * 1.5))
  }

  // MARK: Probing

  mutating func advance(to now: MediaTime, _ demand: LinkDemand) {
    advance(to: now, wantsMore: demand.goal > estimate)
  }

  mutating func takePadding(at now: MediaTime) -> Int {
    let elapsed = paddedAt.map { now.microseconds(since: $0) } ?? 0
    paddedAt = now
    return takePadding(over: elapsed, at: now)
  }

  /// Bytes of padding to send now, over the time since the last call.
  mutating func takePadding(over microseconds: Int64, at now: MediaTime) -> Int {
    guard case .running(let target, _) = probe else { return 0 }
    let missing = target - Double(sent.perSecond(at: now) * 8)
    // What was sent over the last second lags behind: padding for the whole difference is enough.
    return max(0, Int(missing * Double(min(microseconds, 100_000)) / 8_000_000))
  }

  private mutating func steerProbe(at now: MediaTime, wantsMore: Bool) {
    switch probe {
    case .resting(let until):
      let used = Double(sent.perSecond(at: now) * 8)
      guard now >= until, wantsMore, isClear, used > 0, used < rules.usedShare * rate,
        rate < Double(rules.cap)
      else { return }
      probe = .running(target: rate * rules.probeFactor, until: now + rules.probeTime)
    case .running(let target, let until):
      if !isClear { return endProbe(at: now, hasFailed: true) }
      if now >= until { probe = .judging(target: target, until: now + rules.probeAftermath) }
    case .judging(let target, let until):
      if !isClear { return endProbe(at: now, hasFailed: true) }
      guard now >= until else { return }
      rate = max(rate, target)
      endProbe(at: now, hasFailed: false)
    }
  }

  private mutating func endProbe(at now: MediaTime, hasFailed: Bool) {
    let first = rules.probeInterval.wholeUs
    let longest = rules.longestProbeInterval.wholeUs
    probeInterval = hasFailed ? min(probeInterval * 2, longest) : first
    probe = .resting(until: now.advanced(byUs: probeInterval))
  }
}
