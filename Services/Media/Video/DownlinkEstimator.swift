import RTP

/// The bandwidth estimate of a receiver whose client sends no congestion control feedback.
///
/// The estimator uses the loss in receiver reports, the delay, and the sent bitrate. The delay is
/// the greater of two durations: how long packets wait in `media`, and by how much the round trip
/// exceeds its minimum.
///
/// - If the loss exceeds 10 %, the estimate falls by half of the lost share. Both the loss in the
///   last report and the mean loss of about eight reports must exceed 10 %, unless the loss in the
///   last report exceeds 25 %. A report describes few packets, so on a link that always loses 5 %,
///   every fifth report has a loss above 10 %. A lower bitrate would not reduce such a loss.
/// - If the delay exceeds 200 ms and does not shrink, the estimate falls. The new estimate is 90 %
///   of the rate at which the link delivered packets in the last half second, minus the lost share.
///   While packets wait, this rate is the capacity of the link. After a fall, the estimate is at
///   least half of the former estimate. If only the round trip shows the delay, the estimate is at
///   least 70 % of the former estimate. In this case, `video-tiles` may already have dropped
///   layers, so the delivered rate may be below the capacity of the link.
/// - The estimate falls at most once in 400 ms, or at most once in a round trip if the round trip
///   is longer. The estimate falls at most once for each report.
/// - The estimate rises while the loss is below 2 %, the delay is below 50 ms, and the sent bitrate
///   is at least 80 % of the estimate. After a fall, the estimate does not rise for a second. The
///   estimate rises by 15 % per second, and by 3 % per second near the rate at which it last fell.
///   The estimate never rises above 1.5 times the sent rate.
/// - The estimator starts a probe every 2 s under two conditions: the sent bitrate is below 80 % of
///   the estimate, and the receiver would get more video at a higher estimate. During a probe of
///   600 ms, the router adds padding up to a sent bitrate of 1.5 times the estimate. If neither
///   loss nor delay follows within 400 ms, the rate of the probe becomes the estimate. Otherwise
///   the pause before the next probe doubles, up to 16 s.
/// - If the receiver would get more video but `media` sends nothing, the estimator cannot measure
///   anything. Then the estimate rises by 15 % per second. So when all tiles of a receiver have
///   paused, the receiver later gets the lowest layer again, and this layer then shows the capacity
///   of the link. The estimator ignores reports older than 3 s, because receivers send no reports
///   while `media` sends nothing.
///
/// The estimate starts at 5 Mbit/s, and remains between 64 kbit/s and 20 Mbit/s
/// (``DownlinkEstimatorParameters``). The estimator is deterministic: the caller passes in the time
/// and the measurements.
struct DownlinkEstimator: LinkEstimator {
  private enum Probe: Sendable {
    case resting(until: MonotonicTime)
    case running(target: Double, until: MonotonicTime)
    case judging(target: Double, until: MonotonicTime)
  }

  private let rules: DownlinkEstimatorParameters
  private var rate: Double
  private var sent = RateMeter()
  private var delivered = DeliveryRateEstimator()
  private var backlogBytes = 0
  private var isBacklogShrinking = false
  private var loss = 0.0

  /// The mean loss of the last reports.
  private var meanLoss = 0.0
  private var reportedAt: MonotonicTime?
  private(set) var roundTrip: Int64 = 0
  /// Whether the round trip in the last report is at least as long as the previous round trip, and
  /// the report has not caused a fall yet.
  private var isNewTrip = false
  private var lastRoundTrip: Int64 = 0
  private var shortestRoundTrip: Int64 = .max
  private var shortestAt: MonotonicTime?
  private var fellAt: MonotonicTime?
  private var fellFrom: Double?
  private var advancedAt: MonotonicTime
  private var probe: Probe
  private var probeInterval: Int64
  private var paddedAt: MonotonicTime?

  init(_ rules: DownlinkEstimatorParameters, at now: MonotonicTime) {
    self.rules = rules
    rate = Double(rules.start)
    advancedAt = now
    probeInterval = rules.probeInterval.wholeUs
    probe = .resting(until: now + rules.probeInterval)
  }

  /// The estimate, in bit/s.
  var estimate: Int { Int(rate) }

  /// The time that `media` needs to send the waiting packets at the estimated bitrate, in
  /// microseconds.
  var backlogUs: Int64 { Int64(Double(backlogBytes) * 8_000_000 / rate) }

  var bitsPerSecond: Int { estimate }

  var isKnown: Bool { true }

  /// The window is unlimited, because the estimator does not know how many bytes wait in the system
  /// and in the client's program.
  ///
  /// The sender itself measures the backlog in the system.
  var window: Int { .max }

  // MARK: Measurements

  mutating func send(_ bytes: Int, at now: MonotonicTime) {
    sent.add(bytes, at: now)
    delivered.send(bytes)
  }

  mutating func measure(backlog: Int, at now: MonotonicTime) {
    isBacklogShrinking = backlog < backlogBytes
    backlogBytes = backlog
    delivered.measure(backlog: backlog, at: now)
  }

  mutating func report(lossFraction: Double, roundTrip: Int64?, at now: MonotonicTime) {
    loss = min(max(lossFraction, 0), 1)
    meanLoss += (loss - meanLoss) * rules.lossWeight
    reportedAt = now
    guard let roundTrip else { return }
    // The mean round trip still rises long after the peak of a queue, so the code compares single
    // round trips.
    isNewTrip = roundTrip >= lastRoundTrip
    lastRoundTrip = roundTrip
    self.roundTrip = self.roundTrip == 0 ? roundTrip : (self.roundTrip * 3 + roundTrip) / 4
    // A path may become longer permanently, so the shortest round trip expires.
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

  /// Updates the estimate.
  ///
  /// The caller must call this method every 20 to 200 ms.
  ///
  /// - Parameter wantsMore: Whether the receiver would get more if the estimate were higher.
  mutating func advance(to now: MonotonicTime, wantsMore: Bool) {
    let elapsed = min(Double(now.microseconds(since: advancedAt)) / 1_000_000, 1)
    advancedAt = now
    guard wantsMore || !isAtRest else { return }
    if let reportedAt, now.microseconds(since: reportedAt) > rules.reportLife.wholeUs {
      (loss, meanLoss) = (0, 0)
      if shortestRoundTrip != .max { roundTrip = shortestRoundTrip }
    }
    if isOverused { fall(at: now) } else { rise(by: elapsed, at: now, wantsMore: wantsMore) }
    // `steerProbe` reads `backlogUs`, which divides by the rate. So the code applies the lower
    // bound first.
    keepWithinBounds()
    steerProbe(at: now, wantsMore: wantsMore)
    keepWithinBounds()
  }

  private mutating func keepWithinBounds() {
    rate = min(max(rate, Double(rules.floor)), Double(rules.cap))
  }

  /// Whether there is nothing to measure: no sent or waiting packet, no loss, no delay and no
  /// probe.
  ///
  /// Most listeners without video are in this state, and must not cost time in each tick.
  private var isAtRest: Bool {
    guard case .resting = probe else { return false }
    return sent.total == 0 && backlogBytes == 0 && loss == 0 && !isDelayed
  }

  private var isDelayed: Bool {
    shortestRoundTrip != .max && roundTrip - shortestRoundTrip >= rules.lowDelay.wholeUs
  }

  /// How long packets queue on the path, derived from the round trip, in microseconds.
  private var queued: Int64 { shortestRoundTrip == .max ? 0 : roundTrip - shortestRoundTrip }

  private var delay: Int64 { max(backlogUs, queued) }

  /// Whether the queue is too long and does not shrink.
  private var isLate: Bool {
    isBacklogged || queued > rules.highDelay.wholeUs && isNewTrip
  }

  private var isBacklogged: Bool {
    backlogUs > rules.highDelay.wholeUs && !isBacklogShrinking
  }

  private var isLossy: Bool {
    loss > rules.severeLoss || loss > rules.highLoss && meanLoss > rules.highLoss
  }

  private var isOverused: Bool { isLossy || isLate }

  private var isClear: Bool {
    loss < rules.lowLoss && delay < rules.lowDelay.wholeUs
  }

  private mutating func fall(at now: MonotonicTime) {
    let interval = max(rules.fallInterval.wholeUs, roundTrip)
    if let fellAt, now.microseconds(since: fellAt) < interval { return }
    fellAt = now
    let (isLate, isBacklogged) = (isLate, isBacklogged)
    let carried = isLate ? min(rate, delivered.bitsPerSecond * (1 - loss)) : rate
    fellFrom = carried
    let fallen = isLate ? carried * rules.backoff : carried * (1 - loss / 2)
    rate = max(fallen, rate * (isBacklogged ? rules.deepestFall : rules.deepestFarFall))
    // The estimator must not use the same report twice, so this code resets the report's values.
    (loss, isNewTrip) = (0, false)
  }

  private mutating func rise(by elapsed: Double, at now: MonotonicTime, wantsMore: Bool) {
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

  mutating func advance(to now: MonotonicTime, _ demand: LinkDemand) {
    advance(to: now, wantsMore: demand.goal > estimate)
  }

  mutating func takePadding(at now: MonotonicTime) -> Int {
    let elapsed = paddedAt.map { now.microseconds(since: $0) } ?? 0
    paddedAt = now
    return takePadding(over: elapsed, at: now)
  }

  /// Returns the number of bytes of padding to send now, for the time since the last call.
  mutating func takePadding(over microseconds: Int64, at now: MonotonicTime) -> Int {
    guard case .running(let target, _) = probe else { return 0 }
    let missing = target - Double(sent.perSecond(at: now) * 8)
    // `sent` measures the mean rate of the last second. This mean rises slowly, so it suffices to
    // send padding at the rate `missing`.
    return max(0, Int(missing * Double(min(microseconds, 100_000)) / 8_000_000))
  }

  private mutating func steerProbe(at now: MonotonicTime, wantsMore: Bool) {
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

  private mutating func endProbe(at now: MonotonicTime, hasFailed: Bool) {
    let first = rules.probeInterval.wholeUs
    let longest = rules.longestProbeInterval.wholeUs
    probeInterval = hasFailed ? min(probeInterval * 2, longest) : first
    probe = .resting(until: now.advanced(byUs: probeInterval))
  }
}
