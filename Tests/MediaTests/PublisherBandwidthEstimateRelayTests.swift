import RTP
import Testing

@testable import Media

struct PublisherBandwidthEstimateRelayTests {
  /// Returns the estimates that the relay sends, by the time of sending in milliseconds.
  private static func sent(
    _ estimates: KeyValuePairs<Int64, Int?>, into relay: inout PublisherBandwidthEstimateRelay
  ) -> [Int64: Int] {
    var sent: [Int64: Int] = [:]
    for (time, estimate) in estimates {
      sent[time] = relay.take(estimate, at: MonotonicTime(microseconds: time * 1_000))
    }
    return sent
  }

  @Test func `a publisher gets the estimate once a second, reduced by a tenth`() {
    var relay = PublisherBandwidthEstimateRelay()
    let sent = Self.sent([0: 1_000_000, 500: 1_000_000, 1_000: 1_200_000], into: &relay)
    #expect(sent == [0: 900_000, 1_000: 1_080_000])
  }

  @Test func `an estimate that has fallen by a twentieth is sent immediately`() {
    var relay = PublisherBandwidthEstimateRelay()
    let sent = Self.sent([0: 1_000_000, 100: 960_000, 200: 940_000], into: &relay)
    #expect(sent == [0: 900_000, 200: 846_000])
  }

  @Test func `three messages lift a publisher's limit when there is no estimate for 1 s`() {
    var relay = PublisherBandwidthEstimateRelay()
    let sent = Self.sent(
      [0: 500_000, 100: nil, 1_000: nil, 2_000: nil, 3_000: nil, 4_000: nil], into: &relay)
    let free = PublisherBandwidthEstimateRelay.unlimited
    #expect(sent == [0: 450_000, 1_000: free, 2_000: free, 3_000: free])
    #expect(!relay.isActive)
  }

  @Test func `a publisher that was never limited gets no message that lifts a limit`() {
    var relay = PublisherBandwidthEstimateRelay()
    #expect(Self.sent([0: nil, 1_000: nil], into: &relay).isEmpty)
  }

  @Test func `after the limit is lifted, the next estimate is sent immediately`() {
    var relay = PublisherBandwidthEstimateRelay()
    let sent = Self.sent([0: 500_000, 1_000: nil, 1_100: 400_000], into: &relay)
    #expect(sent[1_100] == 360_000)
  }
}
