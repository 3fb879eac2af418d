import RTP
import TestSupport
import Testing

@Suite struct RTCPTests {
  private let block = ReportBlock(
    ssrc: 5, fractionLost: 51, cumulativeLost: -3, highestSequence: 0x1_0005, jitter: 90,
    lastSenderReport: 0x1234_5678, delaySinceLastSenderReport: 65_536)

  @Test func `written reports are read back unchanged`() throws {
    let report = SenderReport(
      ssrc: 1, time: NTPTime(rawValue: 0x0102_0304_0506_0708), timestamp: 9, packets: 10,
      payloadBytes: 11)
    var writer = RTCPWriter()
    writer.addSenderReport(report, reports: [block].span)
    writer.addReceiverReport(sender: 2, reports: [block, block].span)
    writer.addBye(3)
    let packets = read(writer.bytes)
    guard packets.count == 3, case .senderReport(report, let first) = packets[0],
      case .receiverReport(sender: 2, let second) = packets[1], case .bye(let gone) = packets[2]
    else {
      Issue.record("read \(packets)")
      return
    }
    #expect(first.all(in: writer.bytes) == [block])
    #expect(second.all(in: writer.bytes) == [block, block])
    #expect(gone.all(in: writer.bytes) == [3])
  }

  @Test func `a NACK contains each missing number once, in order`() {
    let numbers = [65_530, 65_531, 3, 3, 10, 11, 27, 28, 60_000].map { SequenceNumber($0) }
    var writer = RTCPWriter()
    writer.addNack(sender: 1, media: 2, missing: numbers.span)
    guard case .nack(let list)? = read(writer.bytes).first else {
      Issue.record("no NACK")
      return
    }
    #expect(list.media == 2)
    #expect(list.all(in: writer.bytes) == [65_530, 65_531, 3, 10, 11, 27, 28, 60_000])
  }

  @Test func `written key frame requests are read back unchanged`() {
    var writer = RTCPWriter()
    writer.addPictureLoss(sender: 1, media: 2)
    writer.addFullIntraRequest(sender: 3, media: 4, number: 5)
    let packets = read(writer.bytes)
    #expect(packets.first == .pictureLoss(sender: 1, media: 2))
    guard case .fullIntraRequest(let list)? = packets.last else {
      Issue.record("no FIR")
      return
    }
    let (media, number) = list.request(0, in: writer.bytes.span)
    #expect(list.count == 1)
    #expect((media, number) == (4, 5))
  }

  @Test(
    arguments: [(0, 0), (1, 1), (262_143, 262_143), (2_500_001, 2_500_000)] as [(UInt64, UInt64)])
  func `an estimate has a precision of 18 bits`(written: UInt64, read: UInt64) {
    var writer = RTCPWriter()
    writer.addEstimate(sender: 1, source: 2, bitsPerSecond: written)
    guard case .estimate(let bits, let sources)? = self.read(writer.bytes).first else {
      Issue.record("no estimate")
      return
    }
    #expect(bits == read)
    #expect(sources.all(in: writer.bytes) == [2])
  }

  @Test func `the reader skips packets of other types`() {
    let description: [UInt8] = [0x81, 202, 0, 2, 0, 0, 0, 1, 1, 1, 65, 0]
    var writer = RTCPWriter()
    writer.addPictureLoss(sender: 1, media: 2)
    #expect(
      read(description + writer.bytes)
        == [.other(type: 202), .pictureLoss(sender: 1, media: 2)])
  }

  @Test(
    arguments: [
      [0x80], [0x80, 200, 0, 0], [0x81, 201, 0, 1, 0, 0, 0, 1], [0x80, 201, 0, 9, 0, 0, 0, 1],
      [0x81, 205, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2], [0x84, 206, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2],
      [0xA0, 201, 0, 1, 0, 0, 0, 3], [0x40, 201, 0, 1, 0, 0, 0, 3], [0x82, 203, 0, 1, 0, 0, 0, 1],
    ] as [[UInt8]])
  func `inconsistent packets are malformed`(bytes: [UInt8]) {
    let (packets, isMalformed) = RTCPReader.all(in: bytes)
    #expect(packets.isEmpty)
    #expect(isMalformed)
  }

  @Test func `the reader returns the packets before a malformed packet`() {
    var writer = RTCPWriter()
    writer.addPictureLoss(sender: 1, media: 2)
    #expect(read(writer.bytes + [1, 2, 3]) == [.pictureLoss(sender: 1, media: 2)])
  }

  @Test func `the round-trip time excludes the delay at the other side`() {
    let sent = NTPTime(microsecondsSince1970: 1_700_000_000_000_000)
    let now = NTPTime(microsecondsSince1970: 1_700_000_000_150_000)
    var block = block
    block.lastSenderReport = sent.middle
    block.delaySinceLastSenderReport = NTPTime.units(microseconds: 100_000)
    let roundTrip = NTPTime.roundTrip(block, at: now)
    #expect(abs((roundTrip ?? 0) - 50_000) < 50)
    block.delaySinceLastSenderReport = NTPTime.units(microseconds: 200_000)
    #expect(NTPTime.roundTrip(block, at: now) == nil)
    block.lastSenderReport = 0
    #expect(NTPTime.roundTrip(block, at: now) == nil)
  }

  @Test func `the reader survives random bytes`() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      var bytes = random.bytes(Int.random(in: 0...80, using: &random))
      if bytes.count > 3 {
        bytes[0] = bytes[0] & 0x3f | 0x80
        bytes[1] = UInt8.random(in: 200...207, using: &random)
        bytes[2] = 0
        bytes[3] %= 20
      }
      for packet in read(bytes) { touch(packet, bytes) }
    }
  }

  private func touch(_ packet: RTCPPacket, _ bytes: [UInt8]) {
    switch packet {
    case .senderReport(_, let reports), .receiverReport(_, let reports):
      _ = reports.all(in: bytes)
    case .bye(let sources), .estimate(_, let sources):
      _ = sources.all(in: bytes)
    case .nack(let list): _ = list.all(in: bytes)
    case .fullIntraRequest(let list):
      for index in 0..<list.count { _ = list.request(index, in: bytes.span) }
    case .congestionFeedback(let feedback):
      feedback.forEach(in: bytes.span) { stream in
        for index in 0..<stream.count { _ = stream.age(index, in: bytes.span) }
      }
    case .transportFeedback(let feedback): feedback.forEach(in: bytes.span) { _ in }
    case .pictureLoss, .other: break
    }
  }

  private func read(_ bytes: [UInt8]) -> [RTCPPacket] {
    RTCPReader.all(in: bytes).packets
  }
}
