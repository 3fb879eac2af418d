import Testing
import Wire

@testable import Bus
@testable import ZeroMQ

@Suite struct PackedMessageCacheTests {
  private let items = (1...3).map { number in
    PackedSessionEvents(
      V1.SessionEvents(positions: [.init(stream: "roster", epoch: 1, sequence: number)]))
  }

  @Test func `sessions that wait for the same items share one message`() {
    let run = PackedMessageCache()
    let first = run.message(of: items[...])
    #expect(run.message(of: Array(items)[...]) === first)
    #expect(first.body == PackedSessionEvents.message(of: items).body)
  }

  @Test func `a session that waits for other items gets a message of its own`() {
    let run = PackedMessageCache()
    for other in [items[..<2], items[1...], items[...], items.reversed()[...]] {
      #expect(run.message(of: other).body == PackedSessionEvents.message(of: other).body)
    }
  }
}

@Suite struct RoutingIDTests {
  @Test(
    arguments: [
      ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4], true),
      ([0, 1, 2, 3, 4], [0, 1, 2, 3, 5], false),
      ([0], [0, 0], false),
      ([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8], true),
      ([1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 9], false),
      ([1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7, 8], false),
    ] as [([UInt8], [UInt8], Bool)])
  func `routes are equal if their names have equal bytes`(
    left: [UInt8], right: [UInt8], areEqual: Bool
  ) {
    let (left, right) = (RoutingID(MessageFrame(left)), RoutingID(MessageFrame(right)))
    #expect((left == right) == areEqual)
    #expect(Set([left, right]).count == (areEqual ? 1 : 2))
  }
}
