import Testing

@testable import Gateway

@Suite struct RosterDeliveryRuleTests {
  private let start = ContinuousClock.now

  /// Calls `look(at:)` when this much time has passed since the start, and returns whether this
  /// call permitted the roster.
  private func look(_ gate: inout RosterDeliveryRule, after elapsed: Duration) -> Bool {
    gate.look(at: start + elapsed)
  }

  @Test func `a client that wants no media gets the roster immediately`() {
    var gate = RosterDeliveryRule(wantsMedia: false)
    #expect(gate.isOpen)
    gate.indexed(at: start)
    let isNow = look(&gate, after: .seconds(9))
    #expect(!isNow)
    let opened = gate.acknowledged()
    #expect(!opened)
  }

  @Test func `a client that subscribes gets the roster right after the first SUBSCRIBE_ACK`() {
    var gate = RosterDeliveryRule(wantsMedia: true)
    gate.indexed(at: start)
    gate.subscribed()
    let isNow = look(&gate, after: .seconds(9))
    #expect(!isNow)
    #expect(!gate.isOpen)
    let isFirst = gate.acknowledged()
    #expect(isFirst && gate.isOpen)
    let isAgain = gate.acknowledged()
    #expect(!isAgain)
  }

  @Test func `a client that does not subscribe gets the roster two seconds after INDEX`() {
    var gate = RosterDeliveryRule(wantsMedia: true)
    var isNow = look(&gate, after: .seconds(9))
    #expect(!isNow, "There was no INDEX.")
    gate.indexed(at: start)
    gate.indexed(at: start + .seconds(1))
    isNow = look(&gate, after: .milliseconds(1_999))
    #expect(!isNow)
    isNow = look(&gate, after: .seconds(2))
    #expect(isNow)
    #expect(gate.isOpen)
    isNow = look(&gate, after: .seconds(3))
    #expect(!isNow)
    gate.subscribed()
    let isAgain = gate.acknowledged()
    #expect(!isAgain)
  }
}
