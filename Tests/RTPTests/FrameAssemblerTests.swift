import MeetingModel
import RTP
import TestSupport
import Testing

@Suite struct FrameAssemblerTests {
  @Test(arguments: VideoCodec.allCases, 1...5 as ClosedRange<UInt64>)
  func `the assembler restores frames despite reordered and repeated packets`(
    codec: VideoCodec, seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let stream = stream(codec, frames: 200, using: &random)
    var packets: [[UInt8]] = []
    for packet in stream.packets {
      packets.insert(
        packet, at: Int.random(in: max(0, packets.count - 8)...packets.count, using: &random))
      if Int.random(in: 0..<20, using: &random) == 0 { packets.append(packet) }
    }
    // The first packet of the stream must arrive first, because the stream starts at the packet
    // that arrives first.
    packets.removeAll { $0 == stream.packets[0] }
    packets.insert(stream.packets[0], at: 0)
    var assembler = FrameAssembler(codec)
    let frames = assemble(packets, &assembler)
    #expect(frames.map(\.frame.timestamp) == stream.frames.map(\.timestamp))
    #expect(frames.map(\.data) == stream.frames.map(\.bytes))
    #expect(frames.map(\.frame.isKeyFrame) == stream.frames.map(\.isKey))
    #expect(frames.first?.frame.width == 640)
    #expect(frames.first?.frame.height == 360)
    #expect(assembler.lostPackets == 0)
    #expect(assembler.droppedFrames == 0)
  }

  @Test(arguments: VideoCodec.allCases, 1...5 as ClosedRange<UInt64>)
  func `after a loss, the assembler returns no frame until the next key frame`(
    codec: VideoCodec, seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let stream = stream(codec, frames: 300, using: &random)
    let kept = stream.packets.filter { _ in Double.random(in: 0..<1, using: &random) > 0.02 }
    var assembler = FrameAssembler(codec, timeout: .milliseconds(30))
    let frames = assemble(kept, &assembler)
    #expect(assembler.lostPackets > 0)
    #expect(frames.count > 20)
    var index = 0
    var last: Int?
    for (frame, data) in frames {
      while stream.frames[index].timestamp != frame.timestamp { index += 1 }
      // The network may lose the packet with the parameter sets. The slice then arrives without
      // parameter sets.
      #expect(stream.frames[index].bytes.suffix(data.count) == data[...])
      if !frame.isKeyFrame { #expect(last == index - 1) }
      last = index
    }
  }

  @Test func `the assembler continues at the first key frame of a restarted stream`() {
    var random = SeededGenerator(seed: 9)
    let first = stream(.vp8, frames: 10, using: &random)
    var second = Stream(.vp8, sequence: 20_000, timestamp: 5)
    for index in 0..<10 { second.addFrame(isKey: index == 0, size: 3_000, using: &random) }
    var assembler = FrameAssembler(.vp8)
    let frames = assemble(first.packets + second.packets, &assembler)
    #expect(frames.map(\.data) == (first.frames + second.frames).map(\.bytes))
  }

  @Test(arguments: [VideoCodec.vp8, .h264])
  func `random payloads cause no crash`(codec: VideoCodec) {
    var random = SeededGenerator(seed: 4)
    var assembler = FrameAssembler(codec, capacity: 16)
    let kinds: [UInt8] = [0x10, 0x90, 0x65, 0x67, 0x78, 0x7C, 0x5C]
    for index in 0..<30_000 {
      var packet: [UInt8] = []
      OutgoingRTPHeader(
        payloadType: 96, sequence: SequenceNumber(UInt16(truncatingIfNeeded: index)),
        timestamp: UInt32(index / 3), ssrc: 1, isMarked: index % 3 == 2
      ).begin(in: &packet)
      packet.append(kinds[Int.random(in: 0..<kinds.count, using: &random)])
      packet += random.bytes(Int.random(in: 0...30, using: &random))
      insert(packet, into: &assembler, at: Int64(index))
      while assembler.next(at: MonotonicTime(microseconds: Int64(index) * 1_000)) != nil {}
    }
    #expect(assembler.data.count <= FrameAssembler.maximumFrameBytes)
  }

  private func stream(
    _ codec: VideoCodec, frames: Int, using random: inout SeededGenerator
  ) -> Stream {
    var stream = Stream(codec)
    for index in 0..<frames {
      let size = Int.random(in: 1...6_000, using: &random)
      stream.addFrame(isKey: index % 15 == 0, size: size, using: &random)
    }
    return stream
  }

  private func insert(_ packet: [UInt8], into assembler: inout FrameAssembler, at now: Int64) {
    guard let parsed = RTPPacket(packet) else { return }
    assembler.insert(parsed, packet.span, at: MonotonicTime(microseconds: now * 1_000))
  }

  /// Inserts one packet per millisecond.
  private func assemble(
    _ packets: [[UInt8]], _ assembler: inout FrameAssembler
  ) -> [(frame: VideoFrame, data: [UInt8])] {
    var frames: [(frame: VideoFrame, data: [UInt8])] = []
    for (index, packet) in packets.enumerated() {
      insert(packet, into: &assembler, at: Int64(index))
      while let frame = assembler.next(at: MonotonicTime(microseconds: Int64(index) * 1_000)) {
        frames.append((frame, assembler.data))
      }
    }
    return frames
  }
}
