import MeetingModel

/// The usable bandwidth of a receiver's link, derived from the estimates of `media`.
///
/// When the estimate falls below the budget, the budget falls immediately, so that video never
/// exceeds the link. The budget rises in two cases: all estimates during
/// ``BudgetIncreaseRules/hold`` exceeded the budget by at least a tenth, or all estimates during
/// ``BudgetIncreaseRules/smallHold`` exceeded the budget by any amount. The budget then rises to
/// the lowest of these estimates. So a fluctuating estimate does not show and hide tiles
/// repeatedly. A raise fails if, within ``BudgetIncreaseRules/trial``, the estimate falls by a
/// tenth below the raised budget. Then the hold doubles, up to ``BudgetIncreaseRules/longestHold``.
/// A fall without a recent raise resets the hold.
///
/// Under a constant estimate, the budget changes at most once.
struct DownlinkBudget: Sendable {
  private let rules: BudgetIncreaseRules

  /// The usable bandwidth; `nil` before the first estimate. The value `nil` means unlimited.
  private(set) var usable: Bitrate?

  /// The latest estimate.
  private(set) var estimate: Bitrate?

  private var hold: Duration
  private var rising: (since: ContinuousClock.Instant, lowest: Bitrate)?
  private var raisedAt: ContinuousClock.Instant?

  init(_ rules: BudgetIncreaseRules) {
    self.rules = rules
    hold = rules.hold
  }

  /// The time at which ``advance(to:)`` is due next; `nil` if no timer is pending.
  var deadline: ContinuousClock.Instant? {
    rising.map { $0.since + ($0.lowest.isTenthAbove(usable) ? hold : max(hold, rules.smallHold)) }
  }

  /// Processes an estimate of `media`.
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

  /// Raises the budget to the bandwidth that was available for long enough.
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
  /// Returns whether this bitrate is higher than `other` by at least a tenth.
  fileprivate func isTenthAbove(_ other: Bitrate?) -> Bool {
    guard let other else { return true }
    return bitsPerSecond * 10 >= other.bitsPerSecond * 11
  }
}
