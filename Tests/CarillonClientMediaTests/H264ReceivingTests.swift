import MeetingModel
import RTP
import TestSupport
import Testing

@testable import CarillonClientMedia

/// Tests of the receiver of one H.264 track, with a clock of the test.
@Suite struct H264ReceivingTests {
  private typealias Frame = RemoteVideoTrackReceiver.Frame

  private static let start = MonotonicTime(microseconds: 1_000_000)

  private func receiver() -> RemoteVideoTrackReceiver {
    RemoteVideoTrackReceiver(ssrc: 201, codec: .h264)
  }

  /// Passes packets to a receiver, and returns the frames that the packets complete.
  private func receive(
    _ packets: [[UInt8]], _ receiver: inout RemoteVideoTrackReceiver,
    at now: MonotonicTime = Self.start
  ) -> [Frame] {
    var frames: [Frame] = []
    for bytes in packets {
      guard let packet = RTPPacket(bytes.span) else { continue }
      receiver.receive(packet, packet.payloadType == 96 ? .vp8 : .h264, bytes.span, at: now)
      while let frame = receiver.next(at: now) { frames.append(frame) }
    }
    return frames
  }

  /// Returns whether the receiver requests a key frame, and the packets that the receiver requests.
  private func requests(
    of receiver: inout RemoteVideoTrackReceiver, at now: MonotonicTime
  ) -> (isKeyFrame: Bool, missing: [SequenceNumber]) {
    var writer = RTCPWriter()
    receiver.tick(at: now, roundTrip: 20_000, sender: 1, into: &writer)
    var reader = RTCPReader()
    var (isKeyFrame, missing): (Bool, [SequenceNumber]) = (false, [])
    while let packet = reader.next(in: writer.bytes.span) {
      if case .pictureLoss = packet { isKeyFrame = true }
      if case .nack(let list) = packet {
        list.forEach(in: writer.bytes.span) { missing.append($0) }
      }
    }
    return (isKeyFrame, missing)
  }

  @Test func `single units, aggregates and fragments are assembled with start codes`() throws {
    var stream = H264TestStream(seed: 1)
    var receiver = receiver()
    let packets = stream.add(isKeyFrame: true) + stream.add(isKeyFrame: false, size: 90)
    let kinds = packets.map { H264NALUnitType.kind($0[RTPPacket.smallestHeaderBytes]) }
    #expect(Set(kinds) == [24, 28, 1])
    let frames = receive(packets, &receiver)
    #expect(frames.map(\.bytes) == stream.frames.map(\.bytes))
    #expect(frames.map(\.isKeyFrame) == [true, false])
    #expect(frames.allSatisfy { $0.codec == .h264 && $0.width == 640 && $0.height == 360 })
    #expect(frames[1].timestamp - frames[0].timestamp == 3_000)
  }

  @Test func `the size and the rotation of the frames follow the stream`() throws {
    var stream = H264TestStream(seed: 2)
    var receiver = receiver()
    var packets = stream.add(isKeyFrame: true)
    packets += stream.add(
      H264TestStream.largeParameters + [0, 0, 0, 1, 0x65, 0x80, 7], isKeyFrame: true, rotation: 90)
    packets += stream.add(isKeyFrame: false)
    let frames = receive(packets, &receiver)
    #expect(frames.map(\.width) == [640, 1_920, 1_920])
    #expect(frames.map(\.height) == [360, 1_080, 1_080])
    #expect(frames.map(\.degrees) == [0, 90, 90])
  }

  /// A sender over a link that loses, delays and repeats packets. The sender answers requests.
  @Test(arguments: 0..<60)
  func `after losses the frames continue with a key frame, and no frame is wrong`(seed: Int) {
    var impairment = Impairment(seed: UInt64(seed))
    impairment.loss = 0.04
    impairment.duplicates = 0.05
    impairment.reordered = 0.1
    impairment.jitter = .milliseconds(10)
    var stream = H264TestStream(seed: UInt64(seed))
    var receiver = receiver()
    var frames: [Frame] = []
    var arrivals: [(time: Int, bytes: [UInt8])] = []
    var sent: [UInt16: [UInt8]] = [:]
    var wantsKeyFrame = true
    func time(_ ms: Int) -> MonotonicTime { Self.start + .milliseconds(ms) }
    for ms in 0..<6_000 {
      if ms % 33 == 0, ms < 5_000 {
        let packets = stream.add(isKeyFrame: wantsKeyFrame, size: 200 + ms % 7 * 300)
        wantsKeyFrame = false
        for packet in packets {
          sent[RTPPacket(packet.span)?.sequence.rawValue ?? 0] = packet
          // In the last second the link is good, so the last frame must arrive.
          for delay in ms < 4_000 ? impairment.fate() : [.zero] {
            arrivals.append((ms + 10 + Int(delay / .milliseconds(1)), packet))
          }
        }
      }
      for arrival in arrivals where arrival.time == ms {
        frames += receive([arrival.bytes], &receiver, at: time(ms))
      }
      arrivals.removeAll { $0.time <= ms }
      guard ms % 20 == 0 else { continue }
      while let frame = receiver.next(at: time(ms)) { frames.append(frame) }
      let wanted = requests(of: &receiver, at: time(ms))
      if wanted.isKeyFrame { wantsKeyFrame = true }
      for sequence in wanted.missing {
        guard let packet = sent[sequence.rawValue] else { continue }
        for delay in impairment.fate() {
          arrivals.append((ms + 20 + Int(delay / .milliseconds(1)), packet))
        }
      }
    }
    var last = -1
    for frame in frames {
      let number = stream.frames.firstIndex { $0.bytes == frame.bytes } ?? -1
      #expect(number > last, "frame \(number) follows frame \(last)")
      #expect(frame.isKeyFrame || number == last + 1, "frame \(number) needs its predecessor")
      last = number
    }
    #expect(frames.count > stream.frames.count / 2)
    #expect(last == stream.frames.count - 1)
  }

  @Test func `a key frame without parameter sets gets the sets that arrived before`() throws {
    var stream = H264TestStream(seed: 3)
    var receiver = receiver()
    var packets = stream.add(isKeyFrame: true)
    packets += stream.add(isKeyFrame: true, parameters: [])
    packets += stream.add([0, 0, 0, 1, 9, 0xF0, 0, 0, 0, 1, 0x65, 0x80, 7], isKeyFrame: true)
    let frames = receive(packets, &receiver)
    try #require(frames.count == 3)
    #expect(frames[1].bytes == H264TestStream.parameters + stream.frames[1].bytes)
    // The delimiter remains the first unit.
    #expect(
      frames[2].bytes
        == [0, 0, 0, 1, 9, 0xF0] + H264TestStream.parameters + [0, 0, 0, 1, 0x65, 0x80, 7])
  }

  @Test func `a key frame whose parameter sets are unknown is dropped, and another one requested`()
  {
    var stream = H264TestStream(seed: 4)
    var receiver = receiver()
    #expect(receive(stream.add(isKeyFrame: true, parameters: []), &receiver).isEmpty)
    #expect(receive(stream.add(isKeyFrame: false), &receiver).isEmpty)
    #expect(requests(of: &receiver, at: Self.start).isKeyFrame)
    #expect(receive(stream.add(isKeyFrame: true), &receiver).count == 1)
    #expect(!requests(of: &receiver, at: Self.start + .seconds(1)).isKeyFrame)
  }

  @Test func `after a loss, parameter sets from before the loss are not used`() {
    var stream = H264TestStream(seed: 5)
    var receiver = receiver()
    #expect(receive(stream.add(isKeyFrame: true), &receiver).count == 1)
    // The lost packet contains the parameter sets of another size.
    let key = stream.add(isKeyFrame: true, parameters: H264TestStream.largeParameters)
    _ = receive(Array(key.dropFirst()), &receiver)
    let late = Self.start + .seconds(1)
    #expect(receive(stream.add(isKeyFrame: true, parameters: []), &receiver, at: late).isEmpty)
    #expect(requests(of: &receiver, at: late).isKeyFrame)
    let frames = receive(
      stream.add(isKeyFrame: true, parameters: H264TestStream.largeParameters), &receiver, at: late)
    #expect(frames.map(\.width) == [1_920])
  }

  @Test func `a sink's request for a key frame is repeated, and frames continue meanwhile`() {
    var stream = H264TestStream(seed: 6)
    var receiver = receiver()
    #expect(receive(stream.add(isKeyFrame: true), &receiver).count == 1)
    #expect(!requests(of: &receiver, at: Self.start).isKeyFrame)
    receiver.wantKeyFrame()
    #expect(requests(of: &receiver, at: Self.start).isKeyFrame)
    #expect(receive(stream.add(isKeyFrame: false), &receiver).count == 1)
    #expect(!requests(of: &receiver, at: Self.start + .milliseconds(299)).isKeyFrame)
    #expect(requests(of: &receiver, at: Self.start + .milliseconds(300)).isKeyFrame)
    #expect(receive(stream.add(isKeyFrame: true), &receiver).count == 1)
    #expect(!requests(of: &receiver, at: Self.start + .seconds(1)).isKeyFrame)
  }

  @Test func `a track that changes its codec continues with a key frame of the new codec`() {
    var stream = H264TestStream(seed: 7)
    var receiver = receiver()
    let first = stream.add(isKeyFrame: true)
    #expect(receive(first, &receiver).count == 1)
    var packets: [[UInt8]] = []
    var sequence = stream.sequence
    for (index, isKeyFrame) in [false, true, false].enumerated() {
      var vp8 = VP8Packetizer(pictureID: UInt16(index))
      let header: [UInt8] =
        isKeyFrame ? [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 1, 0xB4, 0] : [0x11, 0, 0]
      vp8.packetize((header + [5, 6, 7]).span) { payload, isLast in
        var packet: [UInt8] = []
        OutgoingRTPHeader(
          payloadType: 96, sequence: sequence, timestamp: UInt32(index) * 3_000, ssrc: 201,
          isMarked: isLast
        ).begin(in: &packet)
        packet.append(copying: payload)
        packets.append(packet)
        sequence = sequence.advanced(by: 1)
      }
    }
    // A packet of the previous codec that arrives again changes nothing.
    let frames = receive(packets[..<2] + [first[0]] + packets[2...], &receiver)
    #expect(frames.map(\.codec) == [.vp8, .vp8])
    #expect(frames.map(\.width) == [320, 320])
  }

  @Test func `hostile fragments neither crash the receiver nor grow without a limit`() {
    var random = SeededGenerator(seed: 8)
    var receiver = receiver()
    var sequence = SequenceNumber(1)
    var largest = 0
    for number in 0..<20_000 {
      var packet: [UInt8] = []
      OutgoingRTPHeader(
        payloadType: 102, sequence: sequence, timestamp: UInt32(number / 5_000), ssrc: 201,
        isMarked: number % 5_000 == 4_999
      ).begin(in: &packet)
      // A unit that never ends, with wrong fragments in between.
      let isFirst = number % 5_000 == 0
      let isFragment = Bool.random(using: &random) || isFirst || number > 10_000
      packet +=
        isFragment
        ? [0x7C, isFirst ? 0x85 : 0x05] : random.bytes(Int.random(in: 0...3, using: &random))
      packet += [UInt8](repeating: 0x88, count: 1_150)
      sequence = sequence.advanced(by: Int.random(in: 0...50, using: &random) == 0 ? 3 : 1)
      for frame in receive([packet], &receiver) { largest = max(largest, frame.bytes.count) }
      _ = requests(of: &receiver, at: Self.start)
    }
    #expect(largest <= FrameAssembler.maximumFrameBytes)
  }
}
