import Testing

@testable import Gateway

@Suite struct `When a browser is shown the roster` {
  private let start = ContinuousClock.now

  /// Whether it opens when so long has passed since the start.
  private func look(_ gate: inout RosterGate, after elapsed: Duration) -> Bool {
    gate.look(at: start + elapsed)
  }

  @Test func `one that wants no media is shown it at once`() {
    var gate = RosterGate(wantsMedia: false)
    #expect(gate.isOpen)
    gate.indexed(at: start)
    let isNow = look(&gate, after: .seconds(9))
    #expect(!isNow)
    let opened = gate.acknowledged()
    #expect(!opened)
  }

  @Test func `one that subscribes is shown it behind the first answer, and not before`() {
    var gate = RosterGate(wantsMedia: true)
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

  @Test func `one that does not subscribe is shown it two seconds after its first INDEX`() {
    var gate = RosterGate(wantsMedia: true)
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
