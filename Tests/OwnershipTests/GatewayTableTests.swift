import MeetingModel
import Testing

@testable import Ownership

@Suite struct GatewayTableTests {
  private let start = ContinuousClock.now

  private func name(_ text: String) throws -> GatewayName { try #require(GatewayName(text)) }

  private func table() -> GatewayTable {
    GatewayTable(silence: .seconds(3), recovery: .seconds(15), at: start)
  }

  @Test func `recovery ends when each expected or active gateway has announced its sessions`()
    throws
  {
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

  @Test func `recovery ends at its deadline even if gateways are missing`() throws {
    var table = table()
    table.expect([try name("gateway-a")])
    let isOverBefore = table.endRecovery(at: start + .milliseconds(14_999))
    let isOver = table.endRecovery(at: start + .seconds(15))
    #expect(!isOverBefore && isOver)
    #expect(table.nextDeadline == nil)
  }

  @Test func `only gateways that exceed the silence limit are removed`() throws {
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

  @Test
  func `a gateway's new run is reported once, and the gateway must announce its sessions again`()
    throws
  {
    let a = try name("gateway-a")
    var table = table()
    // A message before the first report of a run may come from the previous run.
    let news = [nil, 7, 7, nil, 8, 8].map { table.hear(a, run: $0, at: start) }
    #expect(news == [false, true, false, false, true, false])
    table.didAnnounce(a)
    #expect(table.hasAnnounced(a))
    let isNew = table.hear(a, run: 9, at: start)
    #expect(isNew && !table.hasAnnounced(a) && table.count == 1)
  }

  @Test func `a stall of the owner extends the recovery and the silence limits of gateways`() throws
  {
    let (a, b) = (try name("gateway-a"), try name("gateway-b"))
    var table = table()
    _ = table.hear(a, run: nil, at: start)
    _ = table.hear(b, run: nil, at: start + .seconds(1))
    table.excuseSilence(of: .seconds(20))
    #expect(table.nextDeadline == start + .seconds(23))
    let early = table.removeSilent(at: start + .milliseconds(22_999))
    let silent = table.removeSilent(at: start + .seconds(23))
    #expect(early == [] && silent == [a])
    let isOverEarly = table.endRecovery(at: start + .milliseconds(34_999))
    let isOver = table.endRecovery(at: start + .seconds(35))
    #expect(!isOverEarly && isOver)
  }

  @Test(arguments: [
    // The values, in seconds: the time between the gateway's last two messages, the time since the
    // last message, the silence that the gateway reports, and the credible silence.
    (1.0, 0.0, 8.0, 8.0), (1.5, 1.5, 8.0, 8.0),
    // The gateway has already sent a message since its stall, or is now sending the first one.
    (10.0, 0.0, 10.0, 0.0), (10.0, 0.5, 10.5, 0.5), (1.0, 10.0, 10.5, 0.5),
    // The client was silent both before and after the gateway's stall.
    (10.0, 1.0, 14.0, 4.0),
    // After the stall, the gateway lost the connection or the client sent something.
    (10.0, 1.0, 0.0, 0.0), (10.0, 1.0, 0.5, 0.5),
  ])
  func `a client's silence does not count while the client's gateway is silent`(
    gap: Double, after: Double, reported: Double, believed: Double
  ) throws {
    let a = try name("gateway-a")
    var table = table()
    _ = table.hear(a, run: 1, at: start)
    let spoke = start + .milliseconds(Int(gap * 1_000))
    _ = table.hear(a, run: 1, at: spoke)
    let now = spoke + .milliseconds(Int(after * 1_000))
    let silence = table.credibleSilence(
      .milliseconds(Int(reported * 1_000)), from: a, at: now)
    #expect(silence == .milliseconds(Int(believed * 1_000)))
  }

  @Test func `if an unknown gateway reports a silent client, the table counts the whole silence`()
    throws
  {
    let silence = table().credibleSilence(.seconds(4), from: try name("gateway-a"), at: start)
    #expect(silence == .seconds(4))
  }
}
