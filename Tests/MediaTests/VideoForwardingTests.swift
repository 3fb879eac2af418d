import LongComputation
import MeetingModel
import RTP
import Testing

@testable import Media

@Suite(.longComputation) struct VideoForwardingTests {
  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `sequence numbers, timestamps and frames are continuous over random layer changes`(
    seed: UInt64
  )
    throws
  {
    var meeting = VideoMeeting(seed: seed)
    meeting.want(1)
    var packets: [[UInt8]] = []
    for frame in 0..<600 {
      if frame % 7 == 0 { meeting.want(Int.random(in: 1...3, using: &meeting.random)) }
      _ = meeting.takeRequests()
      meeting.sendFrame()
      meeting.tick()
      packets += meeting.takeVideo()
    }
    try expectContinuity(packets)
    let labels = assemble(packets)
    #expect(labels.count > 590)
    #expect(Set(labels.map(\.layer)) == [1, 2, 3])
    expectOnlyKeyFramesBeginLayers(labels)
  }

  @Test func `a layer continues until the next layer has a key frame`() throws {
    var meeting = VideoMeeting()
    meeting.want(1)
    meeting.sendFrame()
    meeting.want(3)
    for _ in 0..<5 { meeting.sendFrame() }
    meeting.publisher.layers[2].needsKeyFrame = true
    for _ in 0..<5 { meeting.sendFrame() }
    let labels = assemble(meeting.takeVideo())
    // At the change, media forwards one picture twice: first in the lower layer, then in the higher
    // layer.
    #expect(labels.map(\.layer) == [1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3])
    #expect(labels.map(\.index) == Array(0...6) + Array(6...10))
    expectOnlyKeyFramesBeginLayers(labels)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `a receiver gets no packets during a pause, and gets a key frame after the pause`(
    seed: UInt64
  )
    throws
  {
    var meeting = VideoMeeting(seed: seed)
    meeting.want(2)
    var packets: [[UInt8]] = []
    for _ in 0..<20 {
      for _ in 0..<Int.random(in: 1...20, using: &meeting.random) { meeting.sendFrame() }
      packets += meeting.takeVideo()
      meeting.want(0)
      // A receiver that returns within 31 frames waits for the camera's key frame.
      for _ in 0..<31 {
        meeting.sendFrame()
        meeting.tick()
      }
      let paused = meeting.takeVideo()
      #expect(paused.isEmpty)
      _ = meeting.takeRequests()
      let requests = meeting.router.counters.keyFrameRequests
      meeting.want(Int.random(in: 1...3, using: &meeting.random))
      _ = meeting.takeRequests()
      #expect(meeting.router.counters.keyFrameRequests == requests + 1)
      meeting.sendFrame()
      let resumed = meeting.takeVideo()
      #expect(assemble(resumed).first?.isKey == true)
      packets += resumed
    }
    try expectContinuity(packets)
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `media fills gaps by retransmissions despite lost, late and repeated packets`(seed: UInt64)
    throws
  {
    var meeting = VideoMeeting(seed: seed)
    var history: [UInt32: [UInt16: [UInt8]]] = [:]
    var delayed: [[UInt8]] = []
    var packets: [[UInt8]] = []
    meeting.want(1)
    for frame in 0..<600 {
      if frame % 40 == 0 { meeting.want(Int.random(in: 1...3, using: &meeting.random)) }
      for packet in delayed { meeting.receive(packet) }
      delayed = []
      for packet in meeting.publisher.nextFrame() {
        let header = try #require(RTPPacket(packet))
        history[header.ssrc, default: [:]][header.sequence.rawValue] = packet
        switch Int.random(in: 0..<100, using: &meeting.random) {
        case 0..<5: break
        case 5..<10: delayed.append(packet)
        case 10..<13:
          meeting.receive(packet)
          meeting.receive(packet)
        default: meeting.receive(packet)
        }
      }
      for _ in 0..<3 {
        meeting.now = meeting.now.advanced(byUs: 11_111)
        meeting.tick()
        for (ssrc, numbers) in meeting.takeRequests() {
          for number in numbers {
            guard let packet = history[ssrc]?[number] else { continue }
            delayed.append(packet)
          }
        }
        packets += meeting.takeVideo()
      }
    }
    let numbers = try packets.map { try #require(RTPPacket($0)).sequence }
    #expect(Set(numbers).count == numbers.count)
    var assembler = FrameAssembler(.vp8)
    let labels = assemble(packets, by: &assembler)
    #expect(labels.count > 550)
    expectOnlyKeyFramesBeginLayers(labels)
    #expect(Double(assembler.lostPackets) < 0.01 * Double(packets.count))
  }

  @Test func `dropped temporal layers leave no gaps in the sequence numbers`() throws {
    var meeting = VideoMeeting(layers: [11])
    meeting.publisher.temporalLayers = 2
    meeting.want(1, temporalLayers: 1)
    for _ in 0..<50 { meeting.sendFrame() }
    meeting.want(1)
    for _ in 0..<50 { meeting.sendFrame() }
    meeting.want(1, temporalLayers: 1)
    for _ in 0..<50 { meeting.sendFrame() }
    let packets = meeting.takeVideo()
    try expectContinuity(packets)
    let labels = assemble(packets)
    #expect(labels.filter { $0.index < 50 }.allSatisfy { $0.temporalLayer == 0 })
    #expect(labels.count { (50..<100).contains($0.index) } == 50)
    #expect(labels.filter { $0.index >= 100 }.allSatisfy { $0.temporalLayer == 0 })
  }

  @Test func `a jump of the publisher's timestamps does not move the receiver's timestamps`() throws
  {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    meeting.sendFrame()
    let first = try #require(RTPPacket(meeting.takeVideo()[0]))
    for packet in meeting.publisher.nextFrame() {
      var jumped = packet
      jumped[4] ^= 0x40
      meeting.receive(jumped)
    }
    let second = try #require(RTPPacket(meeting.takeVideo()[0]))
    #expect(second.timestamp &- first.timestamp == 2_999)
  }

  @Test(arguments: [20_000, 3_100, 32_767, -32_768, -20_000, -3_000, -600])
  func `a stream continues with its next key frame after its sequence numbers have jumped`(
    step: Int
  ) throws {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    for _ in 0..<5 { meeting.sendFrame() }
    meeting.publisher.layers[0].sequence = meeting.publisher.layers[0].sequence.advanced(by: step)
    meeting.publisher.layers[0].needsKeyFrame = true
    try expectReturn(in: &meeting)
  }

  @Test func `a stream that restarts with padding continues with its next key frame`() throws {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    for _ in 0..<5 { meeting.sendFrame() }
    for step in [-20_000, 0] { meeting.receive(meeting.publisher.padding(after: step)) }
    try expectReturn(in: &meeting)
  }

  @Test(arguments: [30, 60, 150])
  func `after an interruption, a layer continues with a key frame and without a gap`(lost: Int)
    throws
  {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    for _ in 0..<5 { meeting.sendFrame() }
    for _ in 0..<lost {
      _ = meeting.publisher.nextFrame()
      meeting.now = meeting.now.advanced(byUs: 33_333)
    }
    var packets = meeting.takeVideo()
    var missing: [UInt16] = []
    for _ in 0..<5 {
      meeting.sendFrame()
      meeting.tick()
      missing += meeting.takeRequests()[11] ?? []
      packets += meeting.takeVideo()
    }
    try expectContinuity(packets)
    // The media service drops the first frame after the interruption, and requests a key frame.
    #expect(assemble(packets).map(\.index) == Array(0..<5) + Array(lost + 6..<lost + 10))
    #expect(missing.isEmpty)
  }

  @Test func `media requests a lost packet, not a key frame, if the layer has a low frame rate`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.publisher.frameBytes = 100
    meeting.want(1)
    var lost: [[UInt8]] = []
    for frame in 0..<10 {
      if frame == 5 { lost = meeting.publisher.nextFrame() } else { meeting.sendFrame() }
      meeting.now = meeting.now.advanced(byUs: 20_000)
      meeting.tick()
      if meeting.takeRequests()[11]?.count == 1 { for packet in lost { meeting.receive(packet) } }
      meeting.now = meeting.now.advanced(byUs: 2_000_000)
      meeting.tick()
    }
    #expect(Set(assemble(meeting.takeVideo()).map(\.index)) == Set(0..<10))
    #expect(meeting.router.counters.keyFrameRequests == 1)
  }

  /// Expects that the receiver gets the camera's video again, without gaps.
  private func expectReturn(in meeting: inout VideoMeeting) throws {
    for _ in 0..<5 { meeting.sendFrame() }
    _ = meeting.takeRequests()
    for _ in 0..<5 { meeting.sendFrame() }
    meeting.tick()
    _ = meeting.takeRequests()
    for _ in 0..<5 { meeting.sendFrame() }
    let packets = meeting.takeVideo()
    try expectContinuity(packets)
    #expect(assemble(packets).last?.index == meeting.publisher.frameIndex - 1)
  }

  // MARK: Tracks that return

  /// The reasons why a receiver temporarily has no track.
  enum Absence: CaseIterable { case decision, source, track }

  @Test(arguments: Absence.allCases, 1...3 as ClosedRange<UInt64>)
  func `a track that returns to a receiver continues its sequence numbers`(
    absence: Absence, seed: UInt64
  ) throws {
    var meeting = VideoMeeting(seed: seed, layers: [11])
    meeting.want(1)
    var packets: [[UInt8]] = []
    for _ in 0..<4 {
      for _ in 0..<40 { meeting.sendFrame() }
      packets += meeting.takeVideo()
      miss(absence, in: &meeting)
      meeting.publisher.layers[0].needsKeyFrame = true
    }
    try expectContinuity(packets)
    #expect(assemble(packets).count == 160)
  }

  private func miss(_ absence: Absence, in meeting: inout VideoMeeting) {
    switch absence {
    case .decision:
      meeting.router.decide([], for: VideoMeeting.grace, at: meeting.now) { _, _ in }
    case .source: meeting.router.end(tile: VideoMeeting.tile)
    case .track: meeting.change(to: .vp8, track: 0xF00D)
    }
    meeting.publisher.layers[0].needsKeyFrame = true
    for _ in 0..<5 { meeting.sendFrame() }
    _ = meeting.takeVideo()
    meeting.change(to: .vp8)
    meeting.want(1)
  }

  private struct NoReport: Error {}

  @Test func `the report on a track that has returned includes all packets of the track`() throws {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    var packets = 0
    func lastReport() throws -> SenderReport {
      for _ in 0..<40 { meeting.sendFrame() }
      meeting.tick()
      let sent = meeting.takeSent(to: VideoMeeting.grace)
      packets += sent.count { !RTPPacket.isRTCP($0.span) }
      let bytes = try #require(sent.last { $0[1] == 200 })
      var reader = RTCPReader()
      guard case .senderReport(let report, _)? = reader.next(in: bytes.span) else {
        throw NoReport()
      }
      return report
    }
    #expect(try lastReport().packets == packets)
    meeting.router.decide([], for: VideoMeeting.grace, at: meeting.now) { _, _ in }
    meeting.want(1)
    meeting.publisher.layers[0].needsKeyFrame = true
    #expect(try lastReport().packets == packets && packets > 200)
  }

  // MARK: Expectations

  private func expectContinuity(
    _ packets: [[UInt8]], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var last: (packet: RTPPacket, picture: UInt16, index: UInt8)?
    for bytes in packets {
      let packet = try #require(RTPPacket(bytes))
      let descriptor = try #require(VP8Descriptor(packet, bytes))
      let picture = try #require(descriptor.pictureID).value
      let index = try #require(descriptor.baseLayerIndex)
      defer { last = (packet, picture, index) }
      #expect(packet.ssrc == VideoMeeting.trackSSRC, sourceLocation: sourceLocation)
      guard let last else { continue }
      let step = last.packet.sequence.distance(to: packet.sequence)
      let ticks = Int32(bitPattern: packet.timestamp &- last.packet.timestamp)
      let pictures = (picture &- last.picture) & 0x7FFF
      let bases = index &- last.index
      #expect(step == 1, sourceLocation: sourceLocation)
      #expect((0...900_000).contains(ticks), sourceLocation: sourceLocation)
      #expect(pictures == (descriptor.startsFrame ? 1 : 0), sourceLocation: sourceLocation)
      #expect((ticks > 0) == descriptor.startsFrame, sourceLocation: sourceLocation)
      let isBase = descriptor.startsFrame && descriptor.temporalLayer == 0
      #expect(bases == (isBase ? 1 : 0), sourceLocation: sourceLocation)
    }
  }

  private func expectOnlyKeyFramesBeginLayers(
    _ labels: [FrameLabel], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var last: FrameLabel?
    for label in labels {
      if !label.isKey {
        #expect(label.layer == last?.layer, sourceLocation: sourceLocation)
        #expect(label.index == (last?.index ?? 0) + 1, sourceLocation: sourceLocation)
      }
      last = label
    }
  }

  private func assemble(_ packets: [[UInt8]]) -> [FrameLabel] {
    var assembler = FrameAssembler(.vp8)
    return assemble(packets, by: &assembler)
  }

  private func assemble(_ packets: [[UInt8]], by assembler: inout FrameAssembler) -> [FrameLabel] {
    var labels: [FrameLabel] = []
    for (index, bytes) in packets.enumerated() {
      guard let packet = RTPPacket(bytes) else { continue }
      let now = MonotonicTime(microseconds: Int64(index) * 5_000)
      assembler.insert(packet, bytes.span, at: now)
      while assembler.next(at: now) != nil { labels.append(FrameLabel(assembler.data)) }
    }
    return labels
  }
}

// `#expect` does not accept spans.
extension RTPPacket {
  init?(_ bytes: [UInt8]) { self.init(bytes.span) }
}

extension VP8Descriptor {
  init?(_ packet: RTPPacket, _ bytes: [UInt8]) {
    guard let (descriptor, _) = VP8Descriptor.read(bytes.span.extracting(packet.payload)) else {
      return nil
    }
    self = descriptor
  }
}
