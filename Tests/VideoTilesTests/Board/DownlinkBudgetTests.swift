import MeetingModel
import OwnerTestSupport
import Testing

@testable import VideoTiles

@Suite struct DownlinkBudgetTests {
  let clock = Clock()
  private static let rules = BudgetIncreaseRules(hold: .seconds(2), longestHold: .seconds(16))

  @Test func `the first estimate applies immediately`() {
    var budget = DownlinkBudget(Self.rules)
    #expect(budget.usable == nil)
    let changed = budget.report(.kilobits(500), at: clock[.zero])
    #expect(changed)
    #expect(budget.usable == .kilobits(500))
    #expect(budget.deadline == nil)
  }

  @Test func `a lower estimate applies immediately`() {
    var budget = DownlinkBudget(Self.rules)
    _ = budget.report(.kilobits(500), at: clock[.zero])
    let changed = budget.report(.kilobits(499), at: clock[.seconds(1)])
    #expect(changed)
    #expect(budget.usable == .kilobits(499))
  }

  @Test func `a higher estimate applies after the hold time`() {
    var budget = DownlinkBudget(Self.rules)
    _ = budget.report(.kilobits(500), at: clock[.zero])
    let changed = budget.report(.kilobits(900), at: clock[.seconds(1)])
    #expect(!changed)
    #expect(budget.deadline == clock[.seconds(3)])
    let early = budget.advance(to: clock[.seconds(2)])
    #expect(!early)
    let due = budget.advance(to: clock[.seconds(3)])
    #expect(due)
    #expect(budget.usable == .kilobits(900))
    #expect(budget.deadline == nil)
  }

  @Test func `after the hold time, the lowest estimate during the hold time applies`() {
    var budget = DownlinkBudget(Self.rules)
    _ = budget.report(.kilobits(500), at: clock[.zero])
    for (second, estimate) in [(1.0, 900), (2, 600), (2.9, 1_000)] {
      let changed = budget.report(.kilobits(estimate), at: clock[.seconds(second)])
      #expect(!changed)
    }
    _ = budget.advance(to: clock[.seconds(3)])
    #expect(budget.usable == .kilobits(600))
    #expect(budget.deadline == clock[.seconds(5)])
  }

  @Test func `an oscillating estimate does not raise the budget`() {
    var budget = DownlinkBudget(Self.rules)
    _ = budget.report(.kilobits(500), at: clock[.zero])
    for second in 1...60 {
      let changed = budget.report(
        .kilobits(second % 2 == 0 ? 500 : 900), at: clock[.seconds(second)])
      #expect(!changed)
    }
  }

  @Test func `a failed raise of the budget doubles the next hold time`() {
    var budget = DownlinkBudget(Self.rules)
    var now = 0.0
    func moment() -> ContinuousClock.Instant { clock[.seconds(now)] }
    _ = budget.report(.kilobits(500), at: moment())
    for hold in [2.0, 4, 8, 16, 16] {
      _ = budget.report(.kilobits(900), at: moment())
      #expect(budget.deadline == clock[.seconds(now + hold)])
      now += hold
      _ = budget.advance(to: moment())
      #expect(budget.usable == .kilobits(900))
      now += 1
      _ = budget.report(.kilobits(500), at: moment())
    }
  }

  @Test func `a lasting raise of the budget resets the hold time`() {
    var budget = DownlinkBudget(Self.rules)
    _ = budget.report(.kilobits(500), at: clock[.zero])
    for start in [0, 100] {
      _ = budget.report(.kilobits(900), at: clock[.seconds(start)])
      #expect(budget.deadline == clock[.seconds(start + 2)])
      _ = budget.advance(to: clock[.seconds(start + 2)])
      _ = budget.report(.kilobits(500), at: clock[.seconds(start + 12)])
    }
  }
}
