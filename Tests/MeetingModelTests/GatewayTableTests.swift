import Testing

@testable import MeetingModel

@Suite struct GatewayTableTests {
  private let start = ContinuousClock.now

  private func name(_ text: String) throws -> GatewayName { try #require(GatewayName(text)) }

  private func table() -> GatewayTable {
    GatewayTable(silence: .seconds(3), recovery: .seconds(15), at: start)
  }

  @Test func `recovery ends when all expected gateways and all that spoke have announced`() throws {
    let (a, b) = (try name("gateway-a"), try name("gateway-b"))
    var table = table()
    _ = table.hear(a, run: 1, at: start)
    table.didAnnounce(a)
    let isOverBefore = table.endRecovery(at: start)
    #expect(!isOverBefore)
    table.expect([a])
    _ = table.hear(b, run: 1, at: start)
    let isOverEarly = table.endRecovery(at: start)
    #expect(!isOverEarly && table.isRecovering && !table.hasAnnounced(b))
    table.didAnnounce(b)
    let (isOver, isOverAgain) = (table.endRecovery(at: start), table.endRecovery(at: start))
    #expect(isOver && !isOverAgain && !table.isRecovering)
  }

  @Test func `recovery ends at its time, whoever is missing`() throws {
    var table = table()
    table.expect([try name("gateway-a")])
    let isOverBefore = table.endRecovery(at: start + .milliseconds(14_999))
    let isOver = table.endRecovery(at: start + .seconds(15))
    #expect(!isOverBefore && isOver)
    #expect(table.nextDeadline == nil)
  }

  @Test func `a gateway that is silent for the time is removed, and nobody else`() throws {
    let (a, b) = (try name("gateway-a"), try name("gateway-b"))
    var table = table()
    _ = table.hear(b, run: nil, at: start)
    _ = table.hear(a, run: nil, at: start + .seconds(1))
    #expect(table.nextDeadline == start + .seconds(3))
    let early = table.removeSilent(at: start + .milliseconds(2_999))
    let first = table.removeSilent(at: start + .seconds(3))
    #expect(early == [] && first == [b] && table.count == 1)
    #expect(table.nextDeadline == start + .seconds(4))
  }

  @Test func `another run of a gateway is told once, and must announce anew`() throws {
    let a = try name("gateway-a")
    var table = table()
    let news = [nil, 7, 7, nil, 8, 8].map { table.hear(a, run: $0, at: start) }
    #expect(news == [false, false, false, false, true, false])
    table.didAnnounce(a)
    #expect(table.hasAnnounced(a))
    let isNew = table.hear(a, run: 9, at: start)
    #expect(isNew && !table.hasAnnounced(a) && table.count == 1)
  }
}
