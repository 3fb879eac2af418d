import MeetingModel

/// What a receiver's link may be used for, out of the estimates that media reports.
///
/// Falls with the estimate at once, so that never more is sent than fits. Rises only when all
/// estimates of the last ``RaisingRules/hold`` were higher by a tenth, or those of the last
/// ``RaisingRules/smallHold`` by anything, and then to the least of them: an estimate that swings
/// makes no tile come and go. After a raise that did not last, because the estimate fell a tenth
/// below it within ``RaisingRules/trial``, the hold doubles up to
/// ``RaisingRules/longestHold``; a fall without a raise shortly before sets it back.
///
/// Under constant estimates it changes once at most.
struct DownlinkBudget: Sendable {
  private let rules: RaisingRules

  /// What may be used. `nil` before the first estimate: everything.
  private(set) var usable: Bitrate?

  /// The estimate that was reported last.
  private(set) var estimate: Bitrate?

  private var hold: Duration
  private var rising: (since: ContinuousClock.Instant, lowest: Bitrate)?
  private var raisedAt: ContinuousClock.Instant?

  init(_ rules: RaisingRules) {
    self.rules = rules
    hold = rules.hold
  }

  /// When ``advance(to:)`` has something to do; `nil`: not by itself.
  var deadline: ContinuousClock.Instant? {
    rising.map { $0.since + ($0.lowest.isTenthAbove(usable) ? hold : max(hold, rules.smallHold)) }
  }

  /// Media reported an estimate.
  ///
  /// - Returns: Whether ``usable`` changed.
  mutating func report(_ estimate: Bitrate, at now: ContinuousClock.Instant) -> Bool {
    let hasRisen = advance(to: now)
    self.estimate = estimate
    guard let usable, estimate >= usable else {
      if let raisedAt, let usable {
        let isFailure = now < raisedAt + rules.trial && usable.isTenthAbove(estimate)
        hold = isFailure ? min(hold * 2, rules.longestHold) : rules.hold
      }
      raisedAt = nil
      rising = nil
      usable = estimate
      return true
    }
    if estimate == usable {
      rising = nil
    } else {
      rising = rising.map { ($0.since, min($0.lowest, estimate)) } ?? (now, estimate)
    }
    return hasRisen
  }

  /// Uses what has been there for long enough.
  ///
  /// - Returns: Whether ``usable`` changed.
  mutating func advance(to now: ContinuousClock.Instant) -> Bool {
    guard let (_, lowest) = rising, let deadline, deadline <= now else { return false }
    usable = lowest
    raisedAt = now
    rising = estimate.flatMap { $0 > lowest ? (now, $0) : nil }
    return true
  }
}

extension Bitrate {
  /// Whether it is higher by a tenth or more.
  fileprivate func isTenthAbove(_ other: Bitrate?) -> Bool {
    guard let other else { return true }
    return bitsPerSecond * 10 >= other.bitsPerSecond * 11
  }
}
