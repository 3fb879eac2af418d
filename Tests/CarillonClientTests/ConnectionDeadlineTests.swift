import Testing

@testable import CarillonClientCore

struct ConnectionDeadlineTests {
  private let now = ContinuousClock.now

  @Test(arguments: [
    (0, Duration.seconds(1)), (1000, .seconds(1)), (2000, .seconds(2)), (15_000, .seconds(15)),
    (180_000, .seconds(15)), (-5, .seconds(1)), (.max, .seconds(15)),
  ])
  func `a first connection attempt lasts for the reconnect timeout, limited to 1-15 s`(
    timeoutMs: Int, expected: Duration
  ) {
    var deadline = ConnectionDeadline(reconnectTimeoutMs: timeoutMs)
    #expect(deadline.wait(at: now) == nil)
    deadline.open(at: now)
    #expect(deadline.wait(at: now) == expected)
  }

  @Test(arguments: [(0, Duration.zero), (-1, .zero), (9000, .seconds(9)), (4000, .seconds(4))])
  func `a client tries to restore a lost connection until the reconnect timeout ends`(
    timeoutMs: Int, expected: Duration
  ) {
    var deadline = ConnectionDeadline(reconnectTimeoutMs: timeoutMs)
    deadline.open(at: now)
    deadline.connect()
    #expect(deadline.wait(at: now) == nil)
    deadline.lose(at: now)
    #expect(deadline.wait(at: now) == expected)
  }

  @Test func `the reconnect timeout runs from the first loss until the connection is restored`() {
    var deadline = ConnectionDeadline(reconnectTimeoutMs: 9000)
    deadline.lose(at: now)
    deadline.lose(at: now + .seconds(6))
    #expect(deadline.wait(at: now + .seconds(6)) == .seconds(3))
    #expect(deadline.wait(at: now + .seconds(60)) == .zero)
    deadline.connect()
    deadline.lose(at: now + .seconds(60))
    #expect(deadline.wait(at: now + .seconds(60)) == .seconds(9))
  }

  @Test func `the longest possible timeout does not overflow`() throws {
    var deadline = ConnectionDeadline(reconnectTimeoutMs: .max)
    deadline.lose(at: now)
    #expect(try #require(deadline.wait(at: now)) > .seconds(180))
  }
}
