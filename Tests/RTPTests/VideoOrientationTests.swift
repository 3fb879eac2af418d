import MeetingModel
import RTP
import TestSupport
import Testing

@Suite struct VideoOrientationTests {
  @Test(
    arguments: [
      (0x00, 0, false, false), (0x01, 90, false, false), (0x02, 180, false, false),
      (0x03, 270, false, false), (0x05, 90, true, false), (0x0B, 270, false, true),
      (0xFE, 180, true, true),
    ] as [(UInt8, Int, Bool, Bool)])
  func `the orientation byte contains the quarter turns, the mirror and the camera`(
    byte: UInt8, degrees: Int, isFlipped: Bool, isBackCamera: Bool
  ) {
    let orientation = VideoOrientation(byte: byte)
    #expect(orientation.degrees == degrees)
    #expect(orientation.isFlipped == isFlipped && orientation.isBackCamera == isBackCamera)
    #expect(orientation.byte == byte & 0x0F)
  }

  @Test(arguments: [0, 90, 180, 270, 360, 100, -90])
  func `degrees are converted to quarter turns`(degrees: Int) {
    let expected = ((degrees / 90 % 4) + 4) % 4 * 90
    #expect(VideoOrientation(degrees: degrees).degrees == expected)
  }

  @Test func `an orientation is written into a packet and read back`() throws {
    var packet: [UInt8] = []
    OutgoingRTPHeader(
      payloadType: 96, sequence: SequenceNumber(7), timestamp: 9, ssrc: 5, isMarked: true
    ).begin(in: &packet)
    let payload: [UInt8] = [1, 2, 3]
    var block = HeaderExtensionBlock()
    block.append(VideoOrientation.id, VideoOrientation(degrees: 270))
    var room = packet + payload + [UInt8](repeating: 0xFF, count: block.byteCount)
    var span = room.mutableSpan
    let count = block.insert(into: &span, count: packet.count + 3)
    #expect(count == room.count)
    let parsed = try #require(RTPPacket(room))
    #expect(Array(room[parsed.payload]) == payload && parsed.isMarked)
    #expect(parsed.sequence == SequenceNumber(7) && parsed.ssrc == 5)
    #expect(Self.orientation(of: room)?.degrees == 270)
    #expect(Self.orientation(of: room, id: 4) == nil)
  }

  private static func orientation(
    of bytes: [UInt8], id: UInt8 = VideoOrientation.id
  ) -> VideoOrientation? {
    RTPPacket(bytes).flatMap { VideoOrientation(of: $0, id: id, in: bytes.span) }
  }

  @Test func `a packet without the extension has no orientation`() {
    var packet: [UInt8] = []
    OutgoingRTPHeader(payloadType: 96, sequence: SequenceNumber(7), timestamp: 9, ssrc: 5)
      .begin(in: &packet)
    #expect(Self.orientation(of: packet) == nil)
    // The extension has two bytes, and only the first byte contains the orientation.
    OutgoingRTPHeader(payloadType: 96, sequence: SequenceNumber(7), timestamp: 9, ssrc: 5)
      .begin(in: &packet) { OutgoingRTPHeader.appendExtension(13, [1, 2].span, to: &$0) }
    #expect(Self.orientation(of: packet)?.degrees == 90)
  }

  // MARK: Frames

  /// Returns a frame in one packet.
  private static func packet(_ number: Int, isKey: Bool, _ orientation: UInt8?) -> [UInt8] {
    var packet: [UInt8] = []
    let header = OutgoingRTPHeader(
      payloadType: 96, sequence: SequenceNumber(UInt16(number)), timestamp: UInt32(number) * 3_000,
      ssrc: 1, isMarked: true)
    if let orientation {
      header.begin(in: &packet) { VideoOrientation(byte: orientation).append(to: &$0) }
    } else {
      header.begin(in: &packet)
    }
    let key: [UInt8] = [0x10, 0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x80, 2, 0x68, 1]
    return packet + (isKey ? key : [0x10, 0x11, 0, 0, 9])
  }

  @Test
  func `an unmarked frame keeps the previous orientation, and an unmarked key frame is upright`() {
    let frames: [(isKey: Bool, said: UInt8?, degrees: Int)] = [
      (true, nil, 0), (false, 1, 90), (false, nil, 90), (false, 3, 270), (true, nil, 0),
      (true, 2, 180), (false, nil, 180), (false, 0, 0), (false, nil, 0),
    ]
    var assembler = FrameAssembler(.vp8)
    for (index, frame) in frames.enumerated() {
      let bytes = Self.packet(index, isKey: frame.isKey, frame.said)
      guard let packet = RTPPacket(bytes.span) else { continue }
      let now = MonotonicTime(microseconds: Int64(index) * 33_000)
      assembler.insert(packet, bytes.span, at: now)
      let degrees = assembler.next(at: now)?.orientation.degrees
      #expect(degrees == frame.degrees, "frame \(index)")
    }
  }

  @Test func `any packet of a frame can contain the orientation`() {
    var random = SeededGenerator(seed: 3)
    var stream = Stream(.vp8)
    stream.addFrame(isKey: true, size: 5_000, using: &random)
    for said in stream.packets.indices {
      var assembler = FrameAssembler(.vp8)
      var degrees: Int?
      for index in stream.packets.indices {
        var bytes = stream.packets[index]
        if index == said {
          var block = HeaderExtensionBlock()
          block.append(VideoOrientation.id, VideoOrientation(degrees: 90))
          let count = bytes.count
          bytes += [UInt8](repeating: 0, count: block.byteCount)
          var span = bytes.mutableSpan
          _ = block.insert(into: &span, count: count)
        }
        guard let packet = RTPPacket(bytes.span) else { continue }
        let now = MonotonicTime(microseconds: Int64(index))
        assembler.insert(packet, bytes.span, at: now)
        degrees = assembler.next(at: now)?.orientation.degrees ?? degrees
      }
      #expect(degrees == 90)
    }
  }
}
