import RTP
import TestSupport
import Testing

struct JitterBufferTests {
  @Test func `packets that arrive in order are played in order`() {
    var link = JitterLink()
    for number in 0..<100 { link.send(number) }
    link.run(ticks: 105)
    #expect(link.played == Array(0..<100))
    #expect(link.buffer.counters.lost == 0)
    #expect(link.buffer.counters.concealed == 0)
  }

  @Test func `playout continues when sequence numbers and timestamps wrap`() {
    var link = JitterLink(firstSequence: 65_500, firstTimestamp: UInt32.max - 9_600)
    for number in 0..<100 { link.send(number) }
    link.run(ticks: 105)
    #expect(link.played == Array(0..<100))
    #expect(link.buffer.counters.lost == 0)
  }

  @Test func `a repeated packet is played once`() {
    var link = JitterLink()
    for number in 0..<50 {
      link.send(number)
      link.send(number, delay: 5_000)
    }
    link.run(ticks: 55)
    #expect(link.played == Array(0..<50))
    #expect(link.buffer.counters.duplicate == 50)
    #expect(link.buffer.counters.late == 0)
  }

  @Test func `neighbouring packets that arrive swapped are played in order`() {
    var link = JitterLink()
    for number in 0..<100 {
      link.send(number, delay: number % 10 == 3 ? 22_000 : 0)
    }
    link.run(ticks: 105)
    #expect(link.played == link.played.sorted())
    #expect(link.buffer.counters.lost <= 1)
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func `playout continues with 5 % loss, and the loss is measured within 20 %`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var link = JitterLink()
    var injected = 0
    for number in 0..<3_000 {
      if Int.random(in: 0..<100, using: &random) < 5, number > 5 {
        injected += 1
        continue
      }
      link.send(number, delay: Int64.random(in: 0...15_000, using: &random))
      if Int.random(in: 0..<100, using: &random) < 3 {
        link.send(number, delay: Int64.random(in: 0...30_000, using: &random))
      }
    }
    link.run(ticks: 3_000)
    let counters = link.buffer.counters
    #expect(abs(counters.lost - injected) <= injected / 5)
    #expect(abs(counters.concealed - injected) <= injected / 5)
    #expect(link.played == link.played.sorted())
    // After the first packet, each tick plays a packet or conceals one.
    #expect(link.silentTicks <= 5)
  }

  @Test func `the copy in the next packet replaces a lost packet`() {
    var link = JitterLink()
    for number in 0..<200 where number % 20 != 13 { link.send(number, hasRedundancy: true) }
    link.run(ticks: 200)
    #expect(link.buffer.counters.lost == 10)
    #expect(link.buffer.counters.recovered == 10)
    #expect(link.recoveredFrom == (0..<10).map { $0 * 20 + 14 })
  }

  @Test func `only the last of several lost packets in a row is rebuilt`() {
    var link = JitterLink()
    for number in 0..<100 where !(40..<43).contains(number) {
      link.send(number, hasRedundancy: true)
    }
    link.run(ticks: 100)
    #expect(link.buffer.counters.lost == 3)
    #expect(link.buffer.counters.concealed == 2)
    #expect(link.recoveredFrom == [43])
  }

  @Test func `a pause of the sender is not a loss`() {
    var link = JitterLink()
    for number in 0..<50 { link.send(number) }
    // The numbers continue, and the timestamps show two seconds of silence.
    for number in 50..<100 { link.send(number, recordedAt: number + 100) }
    link.run(ticks: 210)
    #expect(link.played == Array(0..<100))
    #expect(link.buffer.counters.lost == 0)
    #expect(link.buffer.counters.concealed == 0)
  }

  @Test func `speech after a pause is played from its first packet on`() {
    var link = JitterLink()
    for number in 0..<150 { link.send(number, delay: 10_000) }
    for number in 150..<200 { link.send(number, recordedAt: number + 100, delay: 10_000) }
    // Packet 150 arrives 7 ms after tick 250 and 13 ms before tick 251.
    link.run(ticks: 251)
    #expect(link.played.last == 149)
    link.run(ticks: 1)
    #expect(link.played.last == 150)
    link.run(ticks: 60)
    #expect(link.played == Array(0..<200))
    #expect(link.buffer.counters.concealed == 0)
  }

  @Test func `packets that are lost next to a pause are counted`() {
    var link = JitterLink()
    for number in 0..<50 { link.send(number) }
    for number in 52..<100 { link.send(number, recordedAt: number + 100) }
    link.run(ticks: 210)
    #expect(link.buffer.counters.lost == 2)
    #expect(link.played.count == 98)
  }

  @Test func `the buffer measures jitter and delays packets accordingly`() {
    var random = SeededGenerator(seed: 7)
    var link = JitterLink()
    for number in 0..<1_500 {
      link.send(number, delay: Int64.random(in: 0...60_000, using: &random))
    }
    link.run(ticks: 1_500)
    // The mean difference of two uniformly distributed delays is a third of their range.
    #expect((14_000...26_000).contains(link.buffer.jitterUs))
    #expect((60_000...100_000).contains(link.buffer.targetUs))
    #expect(link.buffer.counters.lost + link.buffer.counters.concealed < 60)
  }

  @Test func `without jitter, packets wait only briefly, even after earlier jitter`() {
    var random = SeededGenerator(seed: 8)
    var link = JitterLink()
    for number in 0..<3_000 {
      let worst: Int64 = number < 500 ? 80_000 : 0
      link.send(number, delay: Int64.random(in: 0...worst, using: &random))
    }
    link.run(ticks: 3_000)
    #expect(link.buffer.targetUs <= 40_000)
    #expect(link.buffer.depthUs <= 60_000)
    #expect(link.buffer.counters.discarded > 0)
  }

  @Test(arguments: [19_900, 20_100] as [Int64])
  func `clocks that differ by half a percent neither fill nor starve the buffer`(period: Int64) {
    var link = JitterLink(period: period)
    for number in 0..<3_000 { link.send(number) }
    link.run(ticks: Int(3_000 * period / 20_000))
    #expect(link.buffer.depthUs <= 100_000)
    #expect(link.played == link.played.sorted())
    #expect(link.played.count > 2_990)
    let counters = link.buffer.counters
    // The buffer counts a packet that arrives after its tick as missing, but plays the packet.
    #expect(period < 20_000 ? counters.lost == 0 : counters.lost <= counters.concealed)
    // The clocks differ by 15 packets in a minute.
    #expect((period < 20_000 ? counters.discarded : counters.concealed) <= 25)
    #expect((period < 20_000 ? counters.discarded : counters.concealed) >= 10)
  }

  @Test func `the delay shrinks again after a stall`() {
    var link = JitterLink()
    for number in 0..<300 {
      link.send(number, delay: (100..<150).contains(number) ? Int64(150 - number) * 20_000 : 0)
    }
    link.run(ticks: 298)
    #expect(link.buffer.depthUs < 200_000)
    #expect(link.played.last.map { $0 > 285 } == true)
    #expect(link.played == link.played.sorted())
  }

  @Test func `a sender that restarts is played after two packets`() {
    var link = JitterLink()
    for number in 0..<50 { link.send(number) }
    for number in 20_000..<20_050 { link.send(number, at: number - 19_950) }
    link.run(ticks: 110)
    #expect(link.played.prefix(50) == Array(0..<50)[...])
    #expect(link.played.dropFirst(50) == Array(20_001..<20_050)[...])
    #expect(link.buffer.counters.refused == 1)
    #expect(link.buffer.counters.lost == 0)
  }

  @Test func `playout follows timestamps that jump`() {
    var link = JitterLink()
    for number in 0..<50 { link.send(number) }
    for number in 50..<100 { link.send(number, recordedAt: number + 900_000, at: number) }
    for number in 100..<150 { link.send(number, recordedAt: number - 90, at: number) }
    link.run(ticks: 200)
    #expect(link.played.count > 140)
    #expect(link.played.last == 149)
  }

  @Test func `after all packets are discarded, the buffer plays the packets that follow`() {
    var link = JitterLink()
    for number in 0..<100 { link.send(number) }
    link.run(ticks: 50)
    let before = link.played.count
    link.buffer.discardAll()
    #expect(!link.buffer.isActive)
    #expect(link.buffer.depthUs == 0)
    link.run(ticks: 60)
    #expect(link.played[before] == 50)
    #expect(link.played.last == 99)
    #expect(link.buffer.counters.lost == 0)
  }

  @Test(arguments: [(120, 8), (480, 2), (1_920, 1), (2_880, 1)])
  func `the buffer plays packets that are shorter or longer than 20 ms`(
    sampleCount: Int, pullsPerTick: Int
  ) {
    let period = Int64(sampleCount) * 1_000_000 / 48_000
    var link = JitterLink(period: period, sampleCount: sampleCount)
    for number in 0..<400 { link.send(number) }
    link.run(ticks: Int(400 * period / 20_000) + 12)
    #expect(link.played == Array(0..<400))
    #expect(link.buffer.counters.lost == 0)
  }

  @Test func `a burst does not exceed the capacity of the buffer`() {
    var link = JitterLink()
    for number in 0..<2_000 { link.send(number, at: 0) }
    link.run(ticks: 100)
    #expect(link.buffer.counters.discarded >= 2_000 - 64)
    #expect(link.played.last == 1_999)
  }

  @Test func `a payload that is too long is refused`() {
    var buffer = JitterBuffer()
    let bytes = [UInt8](repeating: 0, count: JitterBuffer.maxPayloadBytes + 1)
    let arrival = buffer.put(
      bytes.span, sequence: SequenceNumber(1), timestamp: 0, sampleCount: 960,
      arrival: MonotonicTime(microseconds: 0))
    #expect(arrival == .refused)
    #expect(!buffer.isActive)
  }

  @Test(arguments: [UInt32(Int32.max), UInt32.max / 2 + 2])
  func `timestamps that always jump cause no failure`(step: UInt32) {
    var buffer = JitterBuffer()
    var timestamp: UInt32 = 0
    for number in 0..<20_000 {
      timestamp &+= step
      let now = MonotonicTime(microseconds: Int64(number) * 20_000)
      _ = buffer.put(
        [1].span, sequence: SequenceNumber(UInt16(truncatingIfNeeded: number)),
        timestamp: timestamp, sampleCount: 960, arrival: now)
      _ = buffer.pull(at: now)
    }
    #expect(buffer.counters.received == 20_000)
    #expect(buffer.counters.refused == 0)
  }

  @Test func `packets recorded long before the first packet do not stay in the buffer`() {
    var link = JitterLink()
    link.send(100, recordedAt: 0)
    for number in [90, 36, 20] { link.send(number, recordedAt: number - 100, at: 0, delay: 1_000) }
    link.run(ticks: 30)
    #expect(!link.buffer.isActive)
    #expect(link.buffer.depthUs == 0)
    #expect(link.buffer.counters.late == 2)
  }

  @Test(arguments: [11, 12, 13] as [UInt64])
  func `arbitrary arrivals cause no failure`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var buffer = JitterBuffer()
    var now: Int64 = 0
    for _ in 0..<20_000 {
      let bytes = random.bytes(Int.random(in: 0...40, using: &random))
      let isWild = Int.random(in: 0..<4, using: &random) == 0
      let base = UInt16(truncatingIfNeeded: now / 20_000)
      _ = buffer.put(
        bytes.span,
        sequence: SequenceNumber(isWild ? .random(in: 0...65_535, using: &random) : base),
        timestamp: isWild ? .random(in: 0...UInt32.max, using: &random) : UInt32(base) * 960,
        sampleCount: Int.random(in: -1...6_000, using: &random),
        arrival: MonotonicTime(
          microseconds: now + Int64.random(in: -1_000_000...1_000_000, using: &random)))
      if Int.random(in: 0..<3, using: &random) == 0 {
        _ = buffer.pull(at: MonotonicTime(microseconds: now))
      }
      if Int.random(in: 0..<500, using: &random) == 0 { buffer.discardAll() }
      now += Int64.random(in: 0...20_000, using: &random)
      #expect(buffer.depthUs < 1 << 40)
    }
    let counters = buffer.counters
    #expect(counters.received == 20_000)
    #expect(counters.lost >= 0 && counters.concealed >= 0)
  }
}
