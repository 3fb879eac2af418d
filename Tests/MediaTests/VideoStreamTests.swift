import MeetingModel
import RTP
import Testing

@testable import Media

@Suite struct VideoStreamTests {
  @Test func `probe padding lies between frames and can be repeated`() throws {
    var meeting = VideoMeeting(layers: [11])
    meeting.router.decide(
      [ForwardingDecision(tile: 1, layer: 1, isLowered: true)], for: VideoMeeting.grace,
      at: meeting.now
    ) { _, _ in }
    var packets: [[UInt8]] = []
    for _ in 0..<120 {
      for packet in meeting.publisher.nextFrame() { meeting.receive(packet) }
      for _ in 0..<3 {
        meeting.now = meeting.now.advanced(byUs: 11_111)
        meeting.tick()
      }
      packets += meeting.takeVideo()
    }
    let parsed = try packets.map { try #require(RTPPacket($0)) }
    let steps = zip(parsed, parsed.dropFirst()).map { $0.sequence.distance(to: $1.sequence) }
    #expect(steps.allSatisfy { $0 == 1 })
    let padding = zip(parsed, packets).filter { $0.0.payload.isEmpty }
    #expect(padding.count > 20)
    #expect(meeting.router.counters.padding == UInt64(padding.count))
    var assembler = FrameAssembler(.vp8)
    var frames = 0
    for (packet, bytes) in zip(parsed, packets) {
      assembler.insert(packet, bytes.span, at: meeting.now)
      while assembler.next(at: meeting.now) != nil { frames += 1 }
    }
    #expect(frames == 120)
    let last = Array(zip(parsed, packets).suffix(200).filter { $0.0.payload.isEmpty }.prefix(5))
    let numbers = last.map(\.0.sequence)
    var writer = RTCPWriter()
    writer.addNack(sender: 1, media: VideoMeeting.trackSSRC, missing: numbers.span)
    meeting.receive(writer.bytes, from: VideoMeeting.grace)
    #expect(meeting.takeVideo() == last.map(\.1))
  }

  @Test func `a receiver's estimate falls when the receiver reports losses`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    var estimates: [Int] = []
    for report in UInt32(0)..<5 {
      for _ in 0..<10 { meeting.sendFrame() }
      var writer = RTCPWriter()
      let blocks = [
        ReportBlock(
          ssrc: VideoMeeting.trackSSRC, fractionLost: 77, cumulativeLost: Int32(report) * 30,
          highestSequence: 1_000 + report * 100)
      ]
      writer.addReceiverReport(sender: 1, reports: blocks.span)
      meeting.receive(writer.bytes, from: VideoMeeting.grace)
      meeting.now = meeting.now.advanced(byUs: 500_000)
      meeting.tick()
      meeting.router.takeDownlinkReports(at: meeting.now) { estimates.append($1.bitsPerSecond) }
    }
    #expect(estimates.count == 5)
    #expect(zip(estimates, estimates.dropFirst()).allSatisfy { $0 > $1 })
  }

  @Test func `receiver reports that refer to no new sender report do not change the round trip`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    // If no new packets arrive, each report repeats the round-trip time from the time when the
    // queue was full.
    let slow = meeting.router.wallTime(at: meeting.now).middle
    meeting.now = meeting.now.advanced(byUs: 400_000)
    let heard = meeting.now
    let quick = meeting.router.wallTime(at: heard.advanced(byUs: -20_000)).middle
    var estimates: [Int] = []
    for report in UInt32(0)..<12 {
      meeting.sendFrame()
      var writer = RTCPWriter()
      let block = ReportBlock(
        ssrc: VideoMeeting.trackSSRC, highestSequence: 1_000 + report * 10,
        lastSenderReport: report == 0 ? quick : slow,
        delaySinceLastSenderReport: NTPTime.units(
          microseconds: meeting.now.microseconds(since: heard)))
      writer.addReceiverReport(sender: 1, reports: [block].span)
      meeting.receive(writer.bytes, from: VideoMeeting.grace)
      meeting.now = meeting.now.advanced(byUs: 1_000_000)
      meeting.tick()
      meeting.router.takeDownlinkReports(at: meeting.now) { estimates.append($1.bitsPerSecond) }
    }
    #expect(estimates == Array(repeating: DownlinkEstimatorParameters().start, count: 12))
  }

  @Test func `a receiver of H.264 changes layers at the packet with the parameter sets`() throws {
    var router = VideoRouter()
    let (ada, grace) = (SessionSlot(0), SessionSlot(1))
    router.put(
      VideoSourceDescription(tile: 1, trackSSRC: 5, codec: .h264, layerSSRCs: [11, 12]))
    router.setPublisher(ada, of: 1)
    var now = MonotonicTime(microseconds: 0)
    var packets: [[UInt8]] = []
    var sequences: [SequenceNumber] = [SequenceNumber(100), SequenceNumber(60_000)]
    var packetizer = H264Packetizer()
    func decide(_ layer: Int) {
      router.decide([ForwardingDecision(tile: 1, layer: layer)], for: grace, at: now) { _, _ in }
    }
    func send(_ frame: Int, isKey: Bool) {
      for layer in 0...1 {
        let parameters: [UInt8] = [
          0, 0, 0, 1, 0x67, 0x42, 0xC0, 0x1E, 0xDA, 0x02, 0x80, 0xBF, 0xE5, 0x80, 0, 0, 0, 1, 0x68,
          0xCE, 0x3C, 0x80,
        ]
        let slice: [UInt8] = [0, 0, 0, 1, isKey ? 0x65 : 0x41, 0x80, UInt8(layer + 1)]
        let data = (isKey ? parameters : []) + slice + [UInt8](repeating: 9, count: 2_000)
        var payloads: [([UInt8], Bool)] = []
        packetizer.packetize(data.span) { payload, isLast in
          var copy: [UInt8] = []
          copy.append(copying: payload)
          payloads.append((copy, isLast))
        }
        for (payload, isLast) in payloads {
          var packet: [UInt8] = []
          OutgoingRTPHeader(
            payloadType: 97, sequence: sequences[layer],
            timestamp: UInt32(frame * 3_000 + layer * 77), ssrc: UInt32(11 + layer),
            isMarked: isLast
          ).begin(in: &packet)
          packet += payload
          sequences[layer] = sequences[layer].advanced(by: 1)
          router.receive(packet.span, from: ada, at: now) { _, bytes in
            var copy: [UInt8] = []
            copy.append(copying: bytes)
            packets.append(copy)
          }
        }
      }
      now = now.advanced(byUs: 33_333)
    }
    decide(1)
    for frame in 0..<30 {
      if frame == 5 { decide(2) }
      if frame == 15 { decide(1) }
      send(frame, isKey: frame % 10 == 0)
    }
    var assembler = FrameAssembler(.h264)
    var layers: [UInt8] = []
    for bytes in packets {
      let packet = try #require(RTPPacket(bytes))
      assembler.insert(packet, bytes.span, at: now)
      while let frame = assembler.next(at: now) {
        // The parameter sets and their start codes have 22 bytes.
        layers.append(assembler.data[frame.isKeyFrame ? 28 : 6])
        if frame.isKeyFrame { #expect(frame.width == 640 && frame.height == 360) }
      }
    }
    #expect(layers.filter { $0 == 1 }.count == 21)
    #expect(layers.filter { $0 == 2 }.count == 10)
    #expect(assembler.lostPackets == 0)
    #expect(assembler.droppedFrames == 0)
    var states: [Int: LayerMeter.State] = [:]
    router.takeTrackReports(at: now) { states[$1] = $2 }
    #expect(states[2]?.width == 640)
  }
}
