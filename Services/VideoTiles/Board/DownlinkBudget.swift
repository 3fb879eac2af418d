import MeetingModel

/// The usable bandwidth of a receiver's link, derived from media's estimates.
///
/// It falls with the estimate at once, so that video never exceeds the link. It rises only when all
/// estimates of the last ``RaisingRules/hold`` were higher by a tenth, or those of the last
/// ``RaisingRules/smallHold`` by anything, and then to the least of them. So an oscillating
/// estimate does not switch tiles on and off. A raise fails if the estimate falls a tenth below it
/// within ``RaisingRules/trial``. Then the hold doubles up to ``RaisingRules/longestHold``. A fall
/// without a recent raise resets it.
///
/// Under constant estimates it changes at most once.
struct DownlinkBudget: Sendable {
  private let rules: RaisingRules

  /// The usable bandwidth; `nil`, meaning unlimited, before the first estimate.
  private(set) var usable: Bitrate?

  /// The latest reported estimate.
  private(set) var estimate: Bitrate?

  private var hold: Duration
  private var rising: (since: ContinuousClock.Instant, lowest: Bitrate)?
  private var raisedAt: ContinuousClock.Instant?

  init(_ rules: RaisingRules) {
    self.rules = rules
    hold = rules.hold
  }

  /// When ``advance(to:)`` is due next; `nil` if no timer is pending.
  var deadline: ContinuousClock.Instant? {
    rising.map { $0.since + ($0.lowest.isTenthAbove(usable) ? hold : max(hold, rules.smallHold)) }
  }

  /// Processes an estimate from media.
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

  /// Raises the budget to bandwidth that was available long enough.
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
  /// Returns whether it is higher by a tenth or more.
  fileprivate func isTenthAbove(_ other: Bitrate?) -> Bool {
    guard let other else { return true }
    return bitsPerSecond * 10 >= other.bitsPerSecond * 11
  }
}
