import RTP
import TestSupport
import Testing

@Suite struct CongestionFeedbackTests {
  private struct Wire {
    var arrivals = ArrivalLog()
    var log = SentLog()
    var feedbackReader = CongestionFeedbackReader()
    var report = ArrivalReport()
    var now: Int64 = 10_000_000

    var time: MonotonicTime { MonotonicTime(microseconds: now) }

    mutating func feedback(within limit: Int = 1_400) -> (SentLog.FeedbackResult, [PacketArrival]) {
      var writer = RTCPWriter()
      arrivals.takeFeedback(sender: 5, at: time, within: limit, into: &writer)
      #expect(writer.bytes.count <= limit)
      var reader = RTCPReader()
      var taken: [PacketArrival] = []
      guard case .congestionFeedback(let feedback)? = reader.next(in: writer.bytes.span) else {
        return (SentLog.FeedbackResult(), [])
      }
      #expect(feedback.sender == 5)
      feedbackReader.read(feedback, in: writer.bytes.span, into: &report)
      let outcome = log.receive(report, at: time) { taken.append($0) }
      return (outcome, taken)
    }
  }

  @Test func `feedback acknowledges each packet with its arrival time`() {
    var wire = Wire()
    for number in UInt16(0)..<5 {
      let sequence = SequenceNumber(65_533 &+ number)
      wire.log.send(1, sequence, bytes: 100, at: wire.time)
      wire.now += 10_000
      wire.arrivals.receive(1, sequence, at: wire.time)
    }
    #expect(wire.log.bytesInFlight == 500)
    wire.now += 30_000
    let (outcome, taken) = wire.feedback()
    #expect(outcome == SentLog.FeedbackResult(arrived: 5, lost: 0))
    #expect(wire.log.bytesInFlight == 0)
    let steps = zip(taken, taken.dropFirst()).map { $1.arrivedAt - $0.arrivedAt }
    #expect(steps.allSatisfy { abs($0 - 10_000) <= 1_000 }, "\(steps)")
    #expect(taken.map(\.sentAt) == (0..<5).map { 10_000_000 + $0 * 10_000 })
  }

  @Test func `a missing packet counts as lost once a packet that was sent much later has arrived`()
  {
    var wire = Wire()
    for number in UInt16(0)..<10 {
      wire.log.send(1, SequenceNumber(number), bytes: 100, at: wire.time)
      if number != 3 { wire.arrivals.receive(1, SequenceNumber(number), at: wire.time) }
      wire.now += 10_000
    }
    #expect(wire.feedback().0 == SentLog.FeedbackResult(arrived: 9, lost: 0))
    #expect(wire.log.bytesInFlight == 100)
    wire.now += 200_000
    wire.log.send(1, SequenceNumber(10), bytes: 100, at: wire.time)
    wire.arrivals.receive(1, SequenceNumber(10), at: wire.time)
    #expect(wire.feedback().0 == SentLog.FeedbackResult(arrived: 1, lost: 1))
    #expect(wire.log.bytesInFlight == 0)
  }

  @Test func `a late packet is reported in the next feedback message`() {
    var wire = Wire()
    for number in UInt16(0)..<4 {
      wire.log.send(1, SequenceNumber(number), bytes: 100, at: wire.time)
    }
    for number in [UInt16(0), 2, 3] {
      wire.arrivals.receive(1, SequenceNumber(number), at: wire.time)
    }
    #expect(wire.feedback().0.arrived == 3)
    wire.arrivals.receive(1, SequenceNumber(1), at: wire.time)
    #expect(wire.feedback().0.arrived == 1)
    #expect(wire.log.bytesInFlight == 0)
    #expect(wire.feedback().0.arrived == 0)
  }

  @Test func `streams take turns when one feedback message has no room for all streams`() {
    var wire = Wire()
    for ssrc in UInt32(1)...200 {
      wire.log.send(ssrc, SequenceNumber(0), bytes: 100, at: wire.time)
      wire.arrivals.receive(ssrc, SequenceNumber(0), at: wire.time)
    }
    var arrived = 0
    for _ in 0..<10 { arrived += wire.feedback(within: 256).0.arrived }
    // The log keeps only the newest `mostStreams` of the 200 streams.
    #expect(arrived == ArrivalLog.mostStreams)
  }

  @Test func `packets without feedback expire, and later feedback can still report their arrival`()
  {
    var wire = Wire()
    for number in UInt16(0)..<5 {
      wire.log.send(1, SequenceNumber(number), bytes: 100, at: wire.time)
    }
    wire.now += 400_000
    wire.log.expire(at: wire.time)
    #expect(wire.log.bytesInFlight == 500)
    wire.now += 200_000
    wire.log.expire(at: wire.time)
    #expect(wire.log.bytesInFlight == 0)
    for number in UInt16(0)..<5 {
      wire.arrivals.receive(1, SequenceNumber(number), at: wire.time)
    }
    #expect(wire.feedback().0 == SentLog.FeedbackResult(arrived: 5, lost: 0))
    #expect(wire.log.bytesInFlight == 0)
  }

  @Test func `packets do not stay in flight for more than ten seconds`() {
    var wire = Wire()
    for number in UInt16(0)..<5_000 {
      wire.log.send(1, SequenceNumber(number), bytes: 100, at: wire.time)
    }
    #expect(wire.log.bytesInFlight <= 4_096 * 100)
    wire.now += 11_000_000
    wire.log.expire(at: wire.time)
    #expect(wire.log.bytesInFlight == 0)
  }

  @Test func `a link without feedback has little room for packets until feedback arrives`() {
    var wire = Wire()
    wire.now = 1_000_000
    for number in UInt16(1)...20 {
      wire.log.send(1, SequenceNumber(number), bytes: 1_000, at: wire.time)
    }
    #expect(!wire.log.hasRoom(for: 1_000, in: 20_000))
    wire.now += 400_000
    wire.log.expire(at: wire.time)
    #expect(!wire.log.hasRoom(for: 1_000, in: 20_000))
    #expect(!wire.log.isSilent(for: .seconds(2), at: wire.time))
    wire.now += 200_000
    wire.log.expire(at: wire.time)
    #expect(wire.log.hasRoom(for: 2_000, in: 20_000))
    #expect(!wire.log.hasRoom(for: 3_000, in: 20_000))
    wire.now += 1_500_000
    #expect(wire.log.isSilent(for: .seconds(2), at: wire.time))
    wire.arrivals.receive(1, SequenceNumber(20), at: wire.time)
    _ = wire.feedback()
    #expect(wire.log.hasRoom(for: 20_000, in: 20_000))
    #expect(!wire.log.isSilent(for: .seconds(2), at: wire.time))
  }

  @Test func `the reader survives any bytes and rejects malformed feedback`() {
    var numbers = SeededGenerator(seed: 4)
    var feedbackReader = CongestionFeedbackReader()
    var report = ArrivalReport()
    var read = 0
    for _ in 0..<20_000 {
      var bytes = numbers.bytes(Int.random(in: 3...16, using: &numbers) * 4)
      (bytes[0], bytes[1], bytes[2], bytes[3]) = (0x8B, 205, 0, UInt8(bytes.count / 4 - 1))
      if bytes.count > 16, Bool.random(using: &numbers) {
        (bytes[14], bytes[15]) = (0, UInt8((bytes.count - 20) / 2))
      }
      var reader = RTCPReader()
      guard case .congestionFeedback(let feedback)? = reader.next(in: bytes.span) else { continue }
      read += 1
      var log = SentLog()
      log.send(1, SequenceNumber(1), bytes: 100, at: MonotonicTime(microseconds: 0))
      feedbackReader.read(feedback, in: bytes.span, into: &report)
      _ = log.receive(report, at: MonotonicTime(microseconds: 1)) { _ in }
    }
    #expect(read > 100)
  }
}
