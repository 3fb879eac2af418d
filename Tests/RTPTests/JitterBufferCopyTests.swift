import RTP
import TestSupport
import Testing

@Suite("Copies of packets in a jitter buffer")
struct JitterBufferCopyTests {
  @Test("copies replace lost packets", arguments: [0, 65_500] as [UInt16])
  func replaceLost(firstSequence: UInt16) {
    var link = JitterLink(firstSequence: firstSequence, firstTimestamp: .max - 9_600)
    for number in 0..<200 where number % 20 != 13 { link.send(number, copies: [1]) }
    link.run(ticks: 205)
    #expect(link.played == Array(0..<200))
    let counters = link.buffer.counters
    #expect(counters.recovered == 10)
    #expect(counters.concealed <= 10, "A copy comes 20 ms after its packet would have.")
  }

  @Test("copies replace several consecutive lost packets")
  func replaceSeveral() {
    var link = JitterLink()
    for number in 0..<200 where number % 20 < 17 { link.send(number, copies: [1, 2, 3]) }
    // Three copies cannot cover four consecutive losses.
    link.run(ticks: 220)
    let missing = (0..<10).map { $0 * 20 + 17 }
    #expect(link.played.filter(missing.contains).count <= 10)
    #expect(link.played == link.played.sorted())
    #expect(link.buffer.counters.recovered >= 18)
  }

  @Test("copies of packets that arrived are ignored", arguments: [1, 2, 3] as [UInt64])
  func passOver(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var link = JitterLink()
    for number in 0..<1_000 {
      link.send(number, delay: Int64.random(in: 0...40_000, using: &random), copies: [2, 4])
    }
    link.run(ticks: 1_010)
    #expect(link.played == link.played.sorted() && Set(link.played).count == link.played.count)
    #expect(link.buffer.counters.duplicate == 0 && link.buffer.counters.refused == 0)
  }

  @Test("copies of packets that precede the first playable packet are refused")
  func refuseUnheard() {
    var buffer = JitterBuffer()
    let (payload, now) = ([UInt8](repeating: 1, count: 8), MonotonicTime(microseconds: 0))
    func arrival(_ number: UInt16) -> MonotonicTime {
      now.advanced(byUs: Int64(number) * 20_000)
    }
    func put(_ number: UInt16) -> JitterBuffer.Arrival {
      buffer.put(
        payload.span, sequence: SequenceNumber(number), timestamp: 960 * UInt32(number),
        sampleCount: 960, arrival: arrival(number))
    }
    func putCopy(_ number: UInt16) -> JitterBuffer.Arrival {
      buffer.putCopy(
        payload.span, sequence: SequenceNumber(number), timestamp: 960 * UInt32(number),
        sampleCount: 960, arrival: arrival(number))
    }
    // The buffer plays no packet whose number is lower than the first packet's number.
    #expect(put(10) == .accepted && putCopy(9) == .late)
    #expect(put(12) == .accepted && putCopy(11) == .accepted && putCopy(11) == .duplicate)
    buffer.discardAll()
    #expect(put(16) == .accepted && putCopy(15) == .late && putCopy(14) == .late)
    buffer.follow(sequence: SequenceNumber(20), timestamp: 960 * 20, arrival: arrival(20))
    #expect(put(22) == .accepted && putCopy(21) == .late && putCopy(20) == .late)
    #expect(put(24) == .accepted && putCopy(23) == .accepted)
  }

  @Test("copies of packets that precede a pause are refused")
  func refuseBesidePause() {
    var link = JitterLink()
    for number in 0..<10 where number != 8 { link.send(number) }
    // The numbers continue, and the timestamps show a pause. So no packet had the sound of this
    // copy.
    link.send(10, recordedAt: 60, copies: [2])
    link.run(ticks: 70)
    #expect(link.played == [0, 1, 2, 3, 4, 5, 6, 7, 9, 10])
    #expect(link.buffer.counters.recovered == 0)
  }
}
