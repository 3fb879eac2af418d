import MeetingModel
import RTP
import TestSupport
import Testing

@testable import Media

@Suite struct VideoRouterTests {
  @Test func `a NACK is answered with the same bytes, but at most once in 25 ms`() throws {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    for _ in 0..<10 { meeting.sendFrame() }
    let packets = meeting.takeVideo()
    let wanted = [packets[3], packets[4], packets[9]]
    let nack = try nack(of: wanted)
    meeting.receive(nack, from: VideoMeeting.grace)
    #expect(meeting.takeVideo() == wanted)
    meeting.receive(nack, from: VideoMeeting.grace)
    #expect(meeting.takeVideo().isEmpty)
    meeting.now = meeting.now.advanced(byUs: 25_000)
    meeting.receive(nack, from: VideoMeeting.grace)
    #expect(meeting.takeVideo() == wanted)
    #expect(meeting.router.counters.resent == 6)
    #expect(meeting.router.counts(of: VideoMeeting.grace).retransmitted == 6)
    #expect(meeting.router.counts(of: VideoMeeting.ada).retransmitted == 0)
    #expect(meeting.router.counters.unanswered == 3)
    // The packet is now too old for the cache.
    meeting.now = meeting.now.advanced(byUs: 3_000_000)
    meeting.receive(nack, from: VideoMeeting.grace)
    #expect(meeting.takeVideo().isEmpty)
  }

  @Test func `key frame requests are counted for each publisher until the publisher leaves`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    #expect(meeting.router.counts(of: VideoMeeting.ada).keyFrameRequests == 1)
    meeting.sendFrame()
    meeting.now = meeting.now.advanced(byUs: 10_000_000)
    meeting.requestKeyFrame()
    #expect(meeting.router.counts(of: VideoMeeting.ada).keyFrameRequests == 2)
    #expect(meeting.router.counts(of: VideoMeeting.grace) == SessionVideoPacketCounts())
    // Another session may get the key of the removed session.
    meeting.router.remove(VideoMeeting.ada)
    #expect(meeting.router.counts(of: VideoMeeting.ada) == SessionVideoPacketCounts())
  }

  @Test func `after a change of layer, a NACK gets earlier packets unchanged`() throws {
    var meeting = VideoMeeting()
    meeting.publisher.temporalLayers = 2
    meeting.want(1, temporalLayers: 1)
    for _ in 0..<6 { meeting.sendFrame() }
    meeting.want(3)
    _ = meeting.takeRequests()
    for _ in 0..<6 { meeting.sendFrame() }
    let packets = meeting.takeVideo()
    meeting.receive(try nack(of: packets), from: VideoMeeting.grace)
    #expect(meeting.takeVideo() == packets)
  }

  @Test func `a NACK for another receiver's packets is not answered`() throws {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    meeting.sendFrame()
    let nack = try nack(of: meeting.takeVideo())
    let edsger = SessionSlot(9)
    meeting.receive(nack, from: edsger)
    meeting.receive(nack, from: VideoMeeting.ada)
    #expect(meeting.takeVideo(to: edsger).isEmpty)
    #expect(meeting.takeVideo(to: VideoMeeting.ada).isEmpty)
  }

  @Test func `invalid packets are dropped and counted`() throws {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    let packets = meeting.publisher.nextFrame()
    let first = packets[0]
    var wrongSource = first
    wrongSource[11] = 99
    var wrongType = first
    wrongType[1] = wrongType[1] & 0x80 | 111
    let large = first + [UInt8](repeating: 0, count: 64 << 10)
    #expect(meeting.receive(first, from: VideoMeeting.grace) == .early)
    #expect(meeting.receive(wrongSource) == .early)
    #expect(meeting.receive(wrongType) == .wrongPayloadType)
    #expect(meeting.receive(large) == .tooLarge)
    for count in 0..<12 { #expect(meeting.receive(Array(first[..<count])) == .malformed) }
    #expect(meeting.receive([0x80, 200, 0, 9]) == .malformed)
    #expect(meeting.takeVideo().isEmpty)
    #expect(meeting.receive(first) == nil)
    #expect(meeting.receive(first) == .repeated)
    #expect(meeting.takeVideo().count == 1)
    let late = meeting.router.refuseLate(at: meeting.now.advanced(byUs: 1_000_000))
    #expect(late.map(\.refusal) == [.foreign, .unknownSource])
    #expect(late.map(\.session) == [VideoMeeting.grace, VideoMeeting.ada])
    #expect(
      meeting.router.counters.refused == [
        .foreign: 1, .unknownSource: 1, .wrongPayloadType: 1, .tooLarge: 1, .repeated: 1,
      ])
  }

  @Test func `a flood of packets with a wrong payload type is not forwarded`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    meeting.publisher.payloadType = 100
    for _ in 0..<200 { meeting.sendFrame() }
    #expect(meeting.takeVideo().isEmpty)
    meeting.publisher.payloadType = 96
    meeting.publisher.layers[0].needsKeyFrame = true
    meeting.sendFrame()
    #expect(!meeting.takeVideo().isEmpty)
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `random packets with a valid header cause no crash`(seed: UInt64) {
    var meeting = VideoMeeting(seed: seed)
    meeting.want(2)
    for index in 0..<10_000 {
      var packet: [UInt8] = []
      OutgoingRTPHeader(
        payloadType: 96, sequence: SequenceNumber(UInt16(truncatingIfNeeded: index)),
        timestamp: UInt32.random(in: 0...UInt32.max, using: &meeting.random),
        ssrc: UInt32.random(in: 11...13, using: &meeting.random)
      ).begin(in: &packet)
      packet += meeting.random.bytes(Int.random(in: 0...40, using: &meeting.random))
      if index % 5 == 0 { packet[0] = UInt8.random(in: 0x80...0xBF, using: &meeting.random) }
      if index % 7 == 0 { packet[1] = UInt8.random(in: 190...225, using: &meeting.random) }
      meeting.receive(packet, from: index % 3 == 0 ? VideoMeeting.grace : VideoMeeting.ada)
      if index % 10 == 0 { meeting.want(Int.random(in: 0...3, using: &meeting.random)) }
      meeting.now = meeting.now.advanced(byUs: 1_000)
      if index % 16 == 0 { meeting.tick() }
    }
  }

  @Test
  func `a key frame is requested immediately, and then once a second until a key frame arrives`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    #expect(keyFrameRequests(in: &meeting) == 1)
    wait(990, in: &meeting)
    #expect(keyFrameRequests(in: &meeting) == 0)
    wait(2_010, in: &meeting)
    #expect(keyFrameRequests(in: &meeting) == 3)
    meeting.sendFrame()
    wait(2_000, in: &meeting)
    #expect(keyFrameRequests(in: &meeting) == 0)
  }

  @Test func `a lost key frame request is repeated as soon as the publisher connects again`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    wait(100, in: &meeting)
    #expect(keyFrameRequests(in: &meeting) == 1)
    meeting.router.repeatRequests(to: VideoMeeting.ada)
    wait(10, in: &meeting)
    #expect(keyFrameRequests(in: &meeting) == 1)
    wait(980, in: &meeting)
    #expect(keyFrameRequests(in: &meeting) == 0)
    wait(20, in: &meeting)
    #expect(keyFrameRequests(in: &meeting) == 1)
    // A publisher whose receivers have video gets no request.
    meeting.sendFrame()
    meeting.router.repeatRequests(to: VideoMeeting.ada)
    wait(2_000, in: &meeting)
    #expect(keyFrameRequests(in: &meeting) == 0)
  }

  @Test func `packets that nobody resends cause at most one key frame request a second`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.publisher.frameBytes = 100
    meeting.want(1)
    meeting.sendFrame()
    #expect(keyFrameRequests(in: &meeting) == 1)
    var count = 0
    for frame in 0..<300 {
      // The network loses each fifth packet. The publisher answers each request with a key frame.
      let lost = frame % 5 == 3
      for packet in meeting.publisher.nextFrame() where !lost { meeting.receive(packet) }
      wait(30, in: &meeting)
      let requests = keyFrameRequests(in: &meeting)
      count += requests
      if requests > 0 { meeting.publisher.layers[0].needsKeyFrame = true }
    }
    #expect((2...10).contains(count))
  }

  /// Returns the number of key frame requests to the publisher since the last call.
  private func keyFrameRequests(in meeting: inout VideoMeeting) -> Int {
    meeting.takeSent(to: VideoMeeting.ada).count { bytes in
      var reader = RTCPReader()
      guard case .pictureLoss? = reader.next(in: bytes.span) else { return false }
      return true
    }
  }

  /// Advances a meeting by a number of milliseconds, with a tick every 10 ms.
  private func wait(_ milliseconds: Int, in meeting: inout VideoMeeting) {
    for _ in 0..<milliseconds / 10 {
      meeting.now = meeting.now.advanced(byUs: 10_000)
      meeting.tick()
    }
  }

  @Test func `the router forwards at most one key frame request a second per receiver`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    meeting.sendFrame()
    _ = meeting.takeSent(to: VideoMeeting.ada)
    var writer = RTCPWriter()
    writer.addPictureLoss(sender: 5, media: VideoMeeting.trackSSRC)
    var asked = 0
    for _ in 0..<200 {
      meeting.receive(writer.bytes, from: VideoMeeting.grace)
      meeting.now = meeting.now.advanced(byUs: 10_000)
      meeting.tick()
      let count = meeting.takeSent(to: VideoMeeting.ada).count { $0[1] == 206 }
      asked += count
      if count > 0 {
        meeting.publisher.layers[0].needsKeyFrame = true
        for packet in meeting.publisher.nextFrame() { meeting.receive(packet) }
      }
    }
    #expect((2...3).contains(asked))
    #expect(meeting.router.counters.keyFrameRequestsReceived == 200)
  }

  @Test func `the choice of layers for one tile does not affect the publisher's other tile`() {
    var meeting = VideoMeeting(layers: [11])
    var content = VideoPublisher(ssrcs: [21], using: &meeting.random)
    meeting.router.put(
      VideoSourceDescription(tile: 2, trackSSRC: 0xBEEF, codec: .vp8, layerSSRCs: [21]))
    meeting.router.setPublisher(VideoMeeting.ada, of: 2)
    func want(_ camera: Int, _ share: Int) {
      meeting.router.decide(
        [ForwardingDecision(tile: 1, layer: camera), ForwardingDecision(tile: 2, layer: share)],
        for: VideoMeeting.grace, at: meeting.now
      ) { _, _ in }
    }
    func frame() -> Set<UInt32> {
      content.layers[0].needsKeyFrame = true
      meeting.publisher.layers[0].needsKeyFrame = true
      meeting.sendFrame()
      for packet in content.nextFrame() { meeting.receive(packet) }
      return Set(meeting.takeVideo().compactMap { RTPPacket($0)?.ssrc })
    }
    want(1, 1)
    #expect(frame() == [0xCAFE, 0xBEEF])
    want(0, 1)
    #expect(frame() == [0xBEEF])
    want(1, 0)
    #expect(frame() == [0xCAFE])
    meeting.router.end(tile: 1)
    #expect(frame() == [])
    want(0, 1)
    #expect(frame() == [0xBEEF])
  }

  @Test func `a removed receiver gets no video, and packets of a removed sender are ignored`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    meeting.sendFrame()
    #expect(!meeting.takeVideo().isEmpty)
    meeting.router.remove(VideoMeeting.grace)
    meeting.sendFrame()
    #expect(meeting.takeVideo().isEmpty)
    meeting.router.remove(VideoMeeting.ada)
    #expect(meeting.receive(meeting.publisher.nextFrame()[0]) == .early)
    #expect(meeting.takeEarly().isEmpty)
  }

  @Test func `publishers and receivers get reports once a second`() throws {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    for frame in 0..<61 {
      for (index, packet) in meeting.publisher.nextFrame().enumerated()
      where frame % 10 != 5 || index > 0 {
        meeting.receive(packet)
      }
      meeting.now = meeting.now.advanced(byUs: 33_333)
      meeting.tick()
    }
    let up = meeting.takeSent(to: VideoMeeting.ada).filter { $0[1] == 201 }
    let down = meeting.takeSent(to: VideoMeeting.grace).filter { $0[1] == 200 }
    #expect((2...3).contains(up.count))
    #expect((2...3).contains(down.count))
    var reader = RTCPReader()
    let bytes = try #require(up.last)
    guard case .receiverReport(_, let blocks)? = reader.next(in: bytes.span) else {
      Issue.record("no report")
      return
    }
    let block = blocks.block(0, in: bytes.span)
    #expect(block.ssrc == 11)
    #expect(block.fractionLost > 0)
  }

  @Test func `the uplink report of a publisher counts the publisher's lost packets`() {
    var meeting = VideoMeeting(layers: [11, 12])
    var lost = 0
    for _ in 0..<60 {
      for packet in meeting.publisher.nextFrame() {
        if Int.random(in: 0..<20, using: &meeting.random) == 0 {
          lost += 1
        } else {
          meeting.receive(packet)
        }
      }
      meeting.now = meeting.now.advanced(byUs: 33_333)
    }
    let uplink = meeting.router.takeUplink(of: VideoMeeting.ada, at: meeting.now)
    #expect(abs((uplink?.lost ?? 0) - lost) <= 2)
    #expect(uplink?.packets == 60 * 5 - lost)
    #expect((25...31).contains(uplink?.framesPerSecond ?? 0))
    #expect(meeting.router.takeUplink(of: VideoMeeting.ada, at: meeting.now)?.packets == 0)
    #expect(meeting.router.takeUplink(of: VideoMeeting.grace, at: meeting.now) == nil)
  }

  @Test func `track reports give each layer's size and rates, and whether packets flow`() {
    var meeting = VideoMeeting(layers: [11, 12])
    for _ in 0..<60 { meeting.sendFrame() }
    var states: [Int: LayerMeter.State] = [:]
    meeting.router.takeTrackReports(at: meeting.now) { states[$1] = $2 }
    #expect(states[1]?.isFlowing == true)
    #expect((28...31).contains(states[1]?.framesPerSecond ?? 0))
    #expect(states[2]?.width == 640)
    #expect(states[2]?.height == 360)
    let expected = 30 * 2_560 * 8
    #expect(abs((states[2]?.bitsPerSecond ?? 0) - expected) < expected / 10)
    states = [:]
    meeting.router.takeTrackReports(at: meeting.now) { states[$1] = $2 }
    #expect(states.isEmpty)
    meeting.now = meeting.now.advanced(byUs: 2_000_000)
    meeting.router.takeTrackReports(at: meeting.now) { states[$1] = $2 }
    #expect(states[1]?.isFlowing == false)
    #expect(states[1]?.bitsPerSecond == 0)
  }

  @Test func `a source is reported only after its first packet or after a second`() {
    var meeting = VideoMeeting(layers: [11, 12])
    func flows(after microseconds: Int64) -> [Int: Bool] {
      meeting.now = meeting.now.advanced(byUs: microseconds)
      var flows: [Int: Bool] = [:]
      meeting.router.takeTrackReports(at: meeting.now) { flows[$1] = $2.isFlowing }
      return flows
    }
    #expect(flows(after: 0).isEmpty)
    #expect(flows(after: 999_000).isEmpty)
    #expect(flows(after: 1_000) == [1: false, 2: false])
    meeting.sendFrame()
    #expect(flows(after: 0) == [1: true, 2: true])
    // A change of the codec creates new layers, which wait for their first packets.
    var source = meeting.router.sources[0].description
    source.codec = .h264
    meeting.router.put(source)
    #expect(flows(after: 900_000).isEmpty)
    #expect(flows(after: 1_000_000) == [1: false, 2: false])
  }

  private func nack(of packets: [[UInt8]]) throws -> [UInt8] {
    let numbers = try packets.map { try #require(RTPPacket($0)).sequence }
    var writer = RTCPWriter()
    writer.addNack(sender: 5, media: VideoMeeting.trackSSRC, missing: numbers.span)
    return writer.bytes
  }
}
