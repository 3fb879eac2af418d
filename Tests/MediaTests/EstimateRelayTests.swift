import RTP
import Testing

@testable import Media

struct EstimateRelayTests {
  /// The estimates that are sent, each with its time in milliseconds.
  private static func sent(
    _ estimates: KeyValuePairs<Int64, Int?>, into relay: inout EstimateRelay
  ) -> [Int64: Int] {
    var sent: [Int64: Int] = [:]
    for (time, estimate) in estimates {
      sent[time] = relay.take(estimate, at: MediaTime(microseconds: time * 1_000))
    }
    return sent
  }

  @Test func `an estimate is sent every second, less a tenth`() {
    var relay = EstimateRelay()
    let sent = Self.sent([0: 1_000_000, 500: 1_000_000, 1_000: 1_200_000], into: &relay)
    #expect(sent == [0: 900_000, 1_000: 1_080_000])
  }

  @Test func `an estimate that falls by a twentieth is sent at once`() {
    var relay = EstimateRelay()
    let sent = Self.sent([0: 1_000_000, 100: 960_000, 200: 940_000], into: &relay)
    #expect(sent == [0: 900_000, 200: 846_000])
  }

  @Test func `a publisher without a single receiver is released three times`() {
    var relay = EstimateRelay()
    let sent = Self.sent(
      [0: 500_000, 100: nil, 1_000: nil, 2_000: nil, 3_000: nil, 4_000: nil], into: &relay)
    let free = EstimateRelay.unlimited
    #expect(sent == [0: 450_000, 1_000: free, 2_000: free, 3_000: free])
    #expect(!relay.isActive)
  }

  @Test func `a publisher that was never limited is not released`() {
    var relay = EstimateRelay()
    #expect(Self.sent([0: nil, 1_000: nil], into: &relay).isEmpty)
  }

  @Test func `a release is followed by an estimate at once`() {
    var relay = EstimateRelay()
    let sent = Self.sent([0: 500_000, 1_000: nil, 1_100: 400_000], into: &relay)
    #expect(sent[1_100] == 360_000)
  }
}
