import RTP
import Testing

@Suite struct ReceptionStatisticsTests {
  @Test func `a report contains the losses since the previous report`() {
    var statistics = ReceptionStatistics(clockRate: 90_000)
    for number in 0..<100 where number % 10 != 5 {
      statistics.receive(
        SequenceNumber(65_500).advanced(by: number), timestamp: UInt32(number) * 3_000,
        at: MonotonicTime(microseconds: Int64(number) * 1_000_000 / 30))
    }
    let first = statistics.takeReport(ssrc: 7, at: MonotonicTime(microseconds: 4_000_000))
    #expect(first.ssrc == 7)
    #expect(first.cumulativeLost == 10)
    #expect(first.fractionLost == 25)
    #expect(first.highestSequence == 65_500 + 99)
    #expect(first.jitter <= 1)
    #expect(first.lastSenderReport == 0)
    let second = statistics.takeReport(ssrc: 7, at: MonotonicTime(microseconds: 5_000_000))
    #expect(second.fractionLost == 0)
    #expect(second.cumulativeLost == 10)
  }

  @Test func `the jitter is computed from arrival times`() {
    var statistics = ReceptionStatistics(clockRate: 48_000)
    for number in 0..<2_000 {
      // Every other packet is 10 ms late, so consecutive delays differ by 10 ms.
      let late: Int64 = number.isMultiple(of: 2) ? 10_000 : 0
      statistics.receive(
        SequenceNumber(UInt16(number)), timestamp: UInt32(number) * 960,
        at: MonotonicTime(microseconds: Int64(number) * 20_000 + late))
    }
    #expect((9_500...10_500).contains(statistics.jitterUs))
  }

  @Test func `a jump of timestamps does not count as jitter`() {
    var statistics = ReceptionStatistics(clockRate: 90_000)
    for number in 0..<50 {
      let jump: UInt32 = number >= 25 ? 0x8000_0000 : 0
      statistics.receive(
        SequenceNumber(UInt16(number)), timestamp: UInt32(number) &* 3_000 &+ jump,
        at: MonotonicTime(microseconds: Int64(number) * 33_333))
    }
    #expect(statistics.jitterUs < 100)
  }

  @Test
  func `one distant number is ignored, and two consecutive distant numbers restart counting`() {
    var statistics = ReceptionStatistics(clockRate: 90_000)
    func receive(_ number: UInt16) -> ReceptionStatistics.Arrival {
      statistics.receive(
        SequenceNumber(number), timestamp: 0, at: MonotonicTime(microseconds: 0))
    }
    for number: UInt16 in 0..<10 { #expect(receive(number) == .counted) }
    #expect(receive(30_000) == .implausible)
    #expect(receive(10) == .counted)
    #expect(statistics.lost == 0)
    #expect(receive(30_000) == .implausible)
    #expect(receive(30_001) == .restarted)
    #expect(statistics.expected == 1)
    #expect(statistics.received == 1)
  }

  @Test func `a report echoes the last sender report and the age of this sender report`() {
    var statistics = ReceptionStatistics(clockRate: 90_000)
    statistics.receive(
      SenderReport(
        ssrc: 1, time: NTPTime(rawValue: 0x1122_3344_5566_7788), timestamp: 0, packets: 0,
        payloadBytes: 0), at: MonotonicTime(microseconds: 1_000_000))
    let block = statistics.takeReport(ssrc: 1, at: MonotonicTime(microseconds: 1_500_000))
    #expect(block.lastSenderReport == 0x3344_5566)
    #expect(block.delaySinceLastSenderReport == 32_768)
  }
}
