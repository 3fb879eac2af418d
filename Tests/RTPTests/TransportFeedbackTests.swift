import TestSupport
import Testing

@testable import RTP

@Suite struct TransportFeedbackTests {
  /// A connection's receiver and sender, with the feedback between them.
  private struct Wire {
    var arrivals = TransportArrivalLog()
    var feedbackReader = TransportFeedbackReader()
    var report = ArrivalReport()

    mutating func receive(_ number: Int, at time: Int64) {
      arrivals.receive(
        SequenceNumber(UInt16(truncatingIfNeeded: number)), at: MonotonicTime(microseconds: time))
    }

    /// - Returns: The bytes; empty if nothing arrived.
    mutating func feedback(within limit: Int = 1_200) throws -> [UInt8] {
      var writer = RTCPWriter()
      arrivals.takeFeedback(sender: 5, media: 6, within: limit, into: &writer)
      report.clear()
      guard !writer.isEmpty else { return [] }
      #expect(writer.bytes.count <= limit)
      let feedback = try TransportFeedbackTests.feedback(in: writer.bytes)
      feedbackReader.read(feedback, in: writer.bytes.span, into: &report)
      return writer.bytes
    }

    func fate(_ number: Int) -> ArrivalReport.Fate {
      report.fate(of: 0, SequenceNumber(UInt16(truncatingIfNeeded: number)))
    }
  }

  private enum TestError: Error { case noFeedback }

  private static func feedback(in bytes: [UInt8]) throws -> TransportFeedback {
    var reader = RTCPReader()
    guard case .transportFeedback(let feedback)? = reader.next(in: bytes.span) else {
      throw TestError.noFeedback
    }
    return feedback
  }

  /// Returns a feedback packet with this body, without padding.
  private static func packet(_ body: [UInt8]) -> [UInt8] {
    let words = UInt8(body.count / 4)
    return [0x8F, 205, 0, words] + body
  }

  /// The author of the test wrote the bytes by hand from sections 3.1.1 to 3.1.5 of the draft.
  @Test func `the reader understands all chunks and deltas of the draft`() throws {
    let bytes = Self.packet([
      0, 0, 0, 5, 0, 0, 0, 6,
      // The first packet is 65,534, and there are 24 packets. The reference time is -2 times 64 ms,
      // and the feedback has number 7.
      0xFF, 0xFE, 0, 24, 0xFF, 0xFF, 0xFE, 7,
      // The first chunk is a run of two packets with a small delta. The second chunk has one bit
      // per packet: 1 0 0 1 and ten zeros. The third chunk has two bits per packet: 2 1 0 and four
      // zeros. The fourth chunk is a run of one missing packet.
      0x20, 0x02, 0b1010_0100, 0, 0b1110_0100, 0, 0x00, 0x01,
      // The deltas are 4, 8, 255, 0, -3 and 2, in units of 250 µs.
      4, 8, 255, 0, 0xFF, 0xFD, 2, 0,
    ])
    let feedback = try Self.feedback(in: bytes)
    #expect(feedback.sender == 5)
    #expect(feedback.first == SequenceNumber(65_534))
    #expect(feedback.count == 24)
    #expect(feedback.number == 7)
    var times: [Int64?] = []
    feedback.forEach(in: bytes.span) { times.append($0) }
    let arrived: [Int: Int64] = [0: 4, 1: 12, 2: 267, 5: 267, 16: 264, 17: 266]
    #expect(times == (0..<24).map { index in arrived[index].map { $0 * 250 } })
    var (reader, report) = (TransportFeedbackReader(), ArrivalReport())
    reader.read(feedback, in: bytes.span, into: &report)
    #expect(report.fate(of: 0, SequenceNumber(65_534)) == .arrived(at: -128_000 + 1_000))
    #expect(report.fate(of: 0, SequenceNumber(1)) == .missing)
  }

  @Test(
    arguments: [
      // The faults, in this order: no packets, the reserved symbol in a run, the reserved symbol in
      // a vector, an empty run.
      [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0x60, 0x01, 0, 0],
      [0, 7, 0, 0, 0, 0, 0xFC, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0x20, 0, 0, 0],
      // The faults, in this order: more packets than the chunks have, more deltas than bytes, more
      // packets than a sender keeps.
      [0, 30, 0, 0, 0, 0, 0x00, 0x02, 0x00, 0x02], [0, 5, 0, 0, 0, 0, 0x20, 0x05, 1, 1],
      [0xFF, 0xFF, 0, 0, 0, 0, 0x1F, 0xFF, 0x1F, 0xFF],
    ] as [[UInt8]])
  func `inconsistent feedback is malformed`(rest: [UInt8]) {
    let bytes = Self.packet([0, 0, 0, 5, 0, 0, 0, 6, 0, 1] + rest)
    var reader = RTCPReader()
    #expect(reader.next(in: bytes.span) == nil)
    #expect(reader.isMalformed)
  }

  @Test func `feedback reports each packet with its arrival time`() throws {
    var wire = Wire()
    let times: [(Int, Int64)] = [
      (65_530, 10_000_000), (65_531, 10_020_000), (65_532, 10_020_000), (65_535, 10_900_000),
      (65_536, 10_890_000), (65_538, 14_000_000),
    ]
    for (number, time) in times { wire.receive(number, at: time) }
    _ = try wire.feedback()
    guard case .arrived(let first) = wire.fate(65_530) else { throw TestError.noFeedback }
    for (number, time) in times {
      guard case .arrived(let reported) = wire.fate(number) else { throw TestError.noFeedback }
      // The feedback truncates times to 250 µs.
      #expect(abs(reported - first - (time - 10_000_000)) <= 250, "\(number)")
    }
    for number in [65_533, 65_534, 65_537] { #expect(wire.fate(number) == .missing) }
    #expect(wire.fate(65_539) == .unreported)
    #expect(try wire.feedback().isEmpty)
  }

  @Test func `a skipped number is reported as missing, and later feedback can report its arrival`()
    throws
  {
    var wire = Wire()
    for number in [1, 2, 4] { wire.receive(number, at: 1_000_000 + Int64(number)) }
    _ = try wire.feedback()
    #expect(wire.fate(3) == .missing)
    wire.receive(6, at: 1_100_000)
    _ = try wire.feedback()
    #expect(wire.fate(5) == .missing)
    wire.receive(3, at: 1_200_000)
    _ = try wire.feedback()
    guard case .arrived = wire.fate(3) else { throw TestError.noFeedback }
  }

  @Test func `a pause that is too long for a delta starts another feedback message`() throws {
    var wire = Wire()
    wire.receive(1, at: 1_000_000)
    wire.receive(2, at: 30_000_000)
    _ = try wire.feedback()
    guard case .arrived(let first) = wire.fate(1) else { throw TestError.noFeedback }
    #expect(wire.fate(2) == .unreported)
    #expect(wire.arrivals.freshPackets == 1)
    _ = try wire.feedback()
    guard case .arrived(let second) = wire.fate(2) else { throw TestError.noFeedback }
    #expect(abs(second - first - 29_000_000) <= 250)
    #expect(wire.arrivals.freshPackets == 0)
  }

  @Test func `arrival times increase across a wrap of the reference time`() throws {
    var wire = Wire()
    // The reference time has 24 bits in units of 64 ms. Half of its values are negative.
    let wrap: Int64 = (1 << 23) * 64_000
    wire.receive(1, at: wrap - 1_000_000)
    _ = try wire.feedback()
    guard case .arrived(let first) = wire.fate(1) else { throw TestError.noFeedback }
    wire.receive(2, at: wrap + 1_000_000)
    _ = try wire.feedback()
    guard case .arrived(let second) = wire.fate(2) else { throw TestError.noFeedback }
    #expect(second - first == 2_000_000)
  }

  @Test func `transport-wide feedback gives the estimator the same result as RFC 8888 feedback`()
    throws
  {
    var (wire, log) = (Wire(), SentLog())
    for number in 0..<50 {
      let sent = MonotonicTime(microseconds: 1_000_000 + Int64(number) * 10_000)
      log.send(
        TransportFeedbackReader.stream, SequenceNumber(UInt16(number)), bytes: 1_000, at: sent)
      if number != 20 { wire.receive(number, at: sent.microseconds + 40_000) }
    }
    _ = try wire.feedback()
    var transits: Set<Int64> = []
    let outcome = log.receive(wire.report, at: MonotonicTime(microseconds: 2_000_000)) {
      transits.insert($0.arrivedAt - $0.sentAt)
    }
    #expect(outcome.arrived == 49)
    #expect(transits.count == 1)
  }

  /// The network loses, delays and duplicates packets, the sender pauses, and datagrams are small.
  /// The feedback reports each packet that arrived within the window, with the time at which this
  /// packet arrived. The feedback reports no other packet as arrived.
  @Test(arguments: 0..<40)
  func `all random arrivals are eventually reported`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var wire = Wire()
    var (sent, now) = (Int.random(in: 0...70_000, using: &random), Int64(50_000_000))
    var arrivals: [Int: Int64] = [:]
    var reported: [Int: Int64] = [:]
    var late: [Int] = []
    let origin = sent
    for _ in 0..<200 {
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        sent += 1
        now += Int64.random(in: 0...40_000, using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: continue
        case 1: late.append(sent)
        default: take(sent)
        }
        if let number = late.last, Bool.random(using: &random) {
          take(number)
          late.removeLast()
        }
      }
      if Int.random(in: 0..<50, using: &random) == 0 { now += 20_000_000 }
      _ = try wire.feedback(within: Int.random(in: 60...1_200, using: &random))
      collect()
    }
    while wire.arrivals.freshPackets > 0 {
      _ = try wire.feedback()
      collect()
    }
    #expect(Set(reported.keys).isSubset(of: arrivals.keys))
    // The log no longer reports a packet that arrives after the end of the window.
    #expect(reported.count >= arrivals.count - late.count)
    let offsets = reported.map { $0.value - (arrivals[$0.key] ?? 0) }
    let (least, most) = (offsets.min() ?? 0, offsets.max() ?? 0)
    #expect(most - least <= 250)

    func take(_ number: Int) {
      wire.receive(number, at: now)
      arrivals[number] = arrivals[number] ?? now
    }

    func collect() {
      for number in origin...max(origin, sent) {
        if case .arrived(let time) = wire.fate(number) { reported[number] = time }
      }
    }
  }

  @Test func `the reader survives any bytes`() {
    var numbers = SeededGenerator(seed: 8)
    var (feedbackReader, report) = (TransportFeedbackReader(), ArrivalReport())
    var read = 0
    for _ in 0..<20_000 {
      var bytes = numbers.bytes(Int.random(in: 5...16, using: &numbers) * 4)
      (bytes[0], bytes[1], bytes[2], bytes[3]) = (0x8F, 205, 0, UInt8(bytes.count / 4 - 1))
      if Bool.random(using: &numbers) { bytes[14] = 0 }
      var reader = RTCPReader()
      guard case .transportFeedback(let feedback)? = reader.next(in: bytes.span) else { continue }
      read += 1
      feedbackReader.read(feedback, in: bytes.span, into: &report)
      #expect(!report.isEmpty)
    }
    #expect(read > 100)
  }
}
