import MeetingModel
import Testing

@testable import Media

struct ForwardingStallFenceTests {
  private let start = ContinuousClock.now
  private let first: GatewayName
  private let second: GatewayName
  private var fence = ForwardingStallFence(after: 40, timeout: .seconds(5))

  init() throws {
    first = try #require(GatewayName("gateway-a"))
    second = try #require(GatewayName("gateway-b"))
  }

  @Test mutating func `a fence is up until every gateway has echoed the fence's number`() {
    #expect(!fence.isUp)
    fence.raise(awaiting: [first, second], at: start)
    #expect(fence.isUp && fence.number == 41)
    fence.echo(41, by: first)
    fence.echo(41, by: first)
    #expect(fence.isUp && fence.awaited == [second])
    fence.echo(41, by: second)
    #expect(!fence.isUp && fence.number == 0)
  }

  @Test(arguments: [0, 1, 40, 42, UInt64.max])
  mutating func `a fence ignores an echo of a number that is not current`(number: UInt64) {
    fence.raise(awaiting: [first], at: start)
    fence.echo(number, by: first)
    #expect(fence.isUp)
  }

  @Test mutating func `a standstill during a fence raises another fence`() {
    fence.raise(awaiting: [first, second], at: start)
    fence.echo(41, by: first)
    fence.raise(awaiting: [first, second], at: start + .seconds(4))
    #expect(fence.number == 42 && fence.awaited == [first, second])
    // The gateways sent these echoes before the process stopped again.
    fence.echo(41, by: first)
    fence.echo(41, by: second)
    #expect(fence.awaited == [first, second])
    // The second fence has a new timeout.
    #expect(fence.giveUp(at: start + .seconds(8)).isEmpty)
    fence.echo(42, by: second)
    fence.echo(42, by: first)
    #expect(!fence.isUp)
  }

  @Test mutating func `a fence does not wait for a removed gateway`() {
    fence.raise(awaiting: [first, second], at: start)
    fence.forget(second)
    #expect(fence.isUp)
    fence.forget(second)
    fence.echo(41, by: first)
    #expect(!fence.isUp)
    fence.raise(awaiting: [first], at: start)
    fence.forget(first)
    #expect(!fence.isUp)
    fence.forget(first)
    #expect(!fence.isUp)
  }

  @Test mutating func `after a timeout, a fence no longer waits for gateways without an echo`() {
    fence.raise(awaiting: [second, first], at: start)
    #expect(fence.giveUp(at: start + .milliseconds(4_999)).isEmpty)
    #expect(fence.isUp)
    #expect(fence.giveUp(at: start + .seconds(5)) == [first, second])
    #expect(!fence.isUp)
    #expect(fence.giveUp(at: start + .seconds(6)).isEmpty)
    // An echo that arrives too late has no effect.
    fence.echo(41, by: first)
    #expect(!fence.isUp)
  }

  @Test mutating func `a fence ends immediately if media knows no gateway`() {
    fence.raise(awaiting: [], at: start)
    #expect(!fence.isUp)
    fence.raise(awaiting: [first], at: start)
    #expect(fence.number == 42)
  }
}
