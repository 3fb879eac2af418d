import MeetingModel
import RTP
import Testing

@testable import Media

/// Tests of sources that change. Packets arrive before and after the decision of video-tiles about
/// the change.
@Suite struct VideoChangeTests {
  enum Order: CaseIterable { case packetsFirst, decisionFirst }

  private func film(_ frames: Int, _ camera: inout H264Publisher, in meeting: inout VideoMeeting) {
    for _ in 0..<frames {
      for packet in camera.nextFrame() { meeting.receive(packet) }
      meeting.now = meeting.now.advanced(byUs: 20_000)
    }
  }

  private func keyFrameRequests(in meeting: inout VideoMeeting) -> Int {
    meeting.takeSent(to: VideoMeeting.ada).count { $0[1] == 206 }
  }

  @Test(arguments: Order.allCases)
  func `video stays visible when its source changes the codec`(order: Order) throws {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    for _ in 0..<10 { meeting.sendFrame() }
    let last = try #require(meeting.takeVideo().last)
    let before = try #require(RTPPacket(last))
    _ = keyFrameRequests(in: &meeting)
    var camera = H264Publisher(ssrc: 11)
    if order == .packetsFirst {
      film(3, &camera, in: &meeting)
      #expect(meeting.takeVideo().isEmpty)
    }
    meeting.change(to: .h264)
    meeting.tick()
    // Media forwards the key frame that arrived first, and requests no other key frame.
    #expect(keyFrameRequests(in: &meeting) == (order == .packetsFirst ? 0 : 1))
    film(3, &camera, in: &meeting)
    var viewing = H264Viewing()
    viewing.watch(meeting.takeVideo())
    #expect(viewing.frames.map(\.index) == Array(0..<(order == .packetsFirst ? 6 : 3)))
    let first = try #require(viewing.packets.first)
    #expect(before.sequence.distance(to: first.sequence) == 1)
    #expect(Int32(bitPattern: first.timestamp &- before.timestamp) > 0)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  func `no picture is lost if decisions about the codec arrive at random times`(seed: UInt64) {
    var meeting = VideoMeeting(seed: seed, layers: [11])
    meeting.want(1)
    meeting.sendFrame()
    _ = meeting.takeVideo()
    var camera = H264Publisher(ssrc: 11)
    var lost = 0
    let changes = 10
    let frames = 12
    for change in 0..<changes {
      let codec: VideoCodec = change.isMultiple(of: 2) ? .h264 : .vp8
      (camera.needsKeyFrame, camera.parameterSets) = (true, H264Publisher.parameterSets)
      meeting.publisher.layers[0].needsKeyFrame = true
      let first = codec == .h264 ? camera.frameIndex : meeting.publisher.frameIndex
      let packets = (0..<frames).flatMap { _ in
        codec == .h264 ? camera.nextFrame() : meeting.publisher.nextFrame()
      }
      // The publisher sends only one key frame: the first picture of the codec.
      let decision = Int.random(in: 0...packets.count, using: &meeting.random)
      for (number, packet) in packets.enumerated() {
        if number == decision { meeting.change(to: codec) }
        meeting.receive(packet)
        meeting.now = meeting.now.advanced(byUs: 5_000)
        meeting.tick()
      }
      if decision == packets.count { meeting.change(to: codec) }
      let seen = indices(of: meeting.takeVideo(), codec)
      if seen != Array(first..<first + frames) { lost += 1 }
    }
    #expect(lost == 0, "\(lost) of \(changes) changes lost pictures.")
  }

  /// Returns the numbers of the frames in packets of one codec.
  private func indices(of packets: [[UInt8]], _ codec: VideoCodec) -> [Int] {
    guard codec == .h264 else { return packets.compactMap { FrameLabel(packet: $0)?.index } }
    var viewing = H264Viewing()
    viewing.watch(packets)
    return viewing.frames.map(\.index)
  }

  @Test func `video stays visible when its codec changes back and forth`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    meeting.sendFrame()
    var camera = H264Publisher(ssrc: 11)
    for _ in 0..<3 {
      meeting.change(to: .h264)
      (camera.needsKeyFrame, camera.parameterSets) = (true, H264Publisher.parameterSets)
      film(2, &camera, in: &meeting)
      meeting.change(to: .vp8)
      meeting.publisher.layers[0].needsKeyFrame = true
      meeting.sendFrame()
    }
    let types = meeting.takeVideo().compactMap { RTPPacket($0)?.payloadType }
    let changes = zip(types, types.dropFirst()).count { $0 != $1 }
    #expect(changes == 6)
  }

  @Test func `a change of codec discards packets that wait for room on the link`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    meeting.sendFrame()
    _ = meeting.takeVideo()
    meeting.router.measure(backlog: 1 << 20, of: VideoMeeting.grace, at: meeting.now)
    for _ in 0..<3 { meeting.sendFrame() }
    meeting.change(to: .h264)
    meeting.router.measure(backlog: 0, of: VideoMeeting.grace, at: meeting.now)
    var camera = H264Publisher(ssrc: 11)
    film(2, &camera, in: &meeting)
    meeting.tick()
    var viewing = H264Viewing()
    viewing.watch(meeting.takeVideo())
    #expect(viewing.frames.map(\.index) == [0, 1])
    #expect(viewing.packets.allSatisfy { $0.payloadType == 97 })
  }

  @Test func `video stays visible when its source gets another track`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    meeting.sendFrame()
    _ = meeting.takeVideo()
    meeting.change(to: .vp8, track: 0xF00D)
    meeting.publisher.layers[0].needsKeyFrame = true
    meeting.sendFrame()
    #expect(Set(meeting.takeVideo().compactMap { RTPPacket($0)?.ssrc }) == [0xF00D])
  }

  @Test
  func `packets of a new layer wait for the decision of video-tiles, and no picture is repeated`() {
    let lin = SessionSlot(9)
    var meeting = VideoMeeting(layers: [11, 12])
    let camera = VideoSourceDescription(
      tile: VideoMeeting.tile, trackSSRC: VideoMeeting.trackSSRC, codec: .vp8,
      layerSSRCs: [11, 12])
    var lower = camera
    lower.layerSSRCs = [11]
    meeting.router.put(lower)
    meeting.want(1)
    meeting.sendFrame()
    let seen = meeting.takeVideo().count
    meeting.router.put(camera)
    meeting.want(2)
    meeting.want(2, by: lin)
    let outcomes = meeting.takeEarly()
    #expect(!outcomes.isEmpty && outcomes.allSatisfy { $0 == nil })
    #expect(meeting.router.counters.received == UInt64(seen + outcomes.count))
    // Grace has already seen this picture in the lower layer, and switches at the next key frame.
    #expect(meeting.takeVideo(to: lin).count == outcomes.count)
    #expect(meeting.takeVideo().isEmpty)
    meeting.tick()
    #expect(keyFrameRequests(in: &meeting) > 0)
    meeting.publisher.layers[1].needsKeyFrame = true
    meeting.sendFrame()
    #expect(!meeting.takeVideo().isEmpty)
  }

  @Test
  func `a new layer is forwarded from its first key frame if the decision precedes the packets`() {
    let lin = SessionSlot(9)
    var meeting = VideoMeeting(layers: [11, 12])
    meeting.change(to: .vp8, layers: [11])
    meeting.want(1)
    // The publisher does not send the new layer yet.
    for packet in meeting.publisher.nextFrame() where RTPPacket(packet.span)?.ssrc == 11 {
      meeting.receive(packet)
    }
    let seen = meeting.takeVideo().count
    #expect(seen > 0)
    meeting.change(to: .vp8, layers: [11, 12])
    meeting.want(2)
    meeting.want(2, by: lin)
    #expect(keyFrameRequests(in: &meeting) > 0)
    meeting.publisher.layers[1].needsKeyFrame = true
    let frame = meeting.publisher.nextFrame()
    for packet in frame { #expect(meeting.receive(packet) == nil) }
    let layer = frame.count { RTPPacket($0.span)?.ssrc == 12 }
    #expect(meeting.takeVideo(to: lin).count == layer)
    // Grace sees the picture in the lower layer first, because this layer's packets arrive first.
    let labels = meeting.takeVideo().compactMap { FrameLabel(packet: $0) }
    #expect(labels.map(\.layer) == [1, 2] && labels.map(\.isKey) == [false, true])
    #expect(keyFrameRequests(in: &meeting) == 0)
  }

  /// The content share that some tests add to the meeting.
  private static let share: (tile: UInt32, track: UInt32, ssrc: UInt32) = (2, 0xBEEF, 21)

  /// Announces or changes the content share.
  @discardableResult
  private func share(
    _ codec: VideoCodec, by publisher: SessionSlot, in meeting: inout VideoMeeting
  ) -> [VideoRefusal?] {
    meeting.change(
      to: codec, layers: [Self.share.ssrc], track: Self.share.track, tile: Self.share.tile,
      publisher: publisher)
  }

  /// Forwards the content share, and not the camera, to Grace.
  private func wantShare(in meeting: inout VideoMeeting) {
    meeting.router.decide(
      [ForwardingDecision(tile: Self.share.tile, layer: 1)], for: VideoMeeting.grace,
      at: meeting.now
    ) { _, _ in }
  }

  @Test(arguments: Order.allCases)
  func `a new content share is forwarded from its first packet`(order: Order) {
    var meeting = VideoMeeting(layers: [11])
    let sharer = SessionSlot(7)
    var content = VideoPublisher(ssrcs: [Self.share.ssrc], using: &meeting.random)
    if order == .packetsFirst {
      for packet in content.nextFrame() {
        #expect(meeting.receive(packet, from: sharer) == .early)
      }
      meeting.router.put(
        VideoSourceDescription(
          tile: Self.share.tile, trackSSRC: Self.share.track, codec: .vp8,
          layerSSRCs: [Self.share.ssrc]))
      meeting.router.setPublisher(sharer, of: Self.share.tile)
      wantShare(in: &meeting)
      #expect(meeting.takeEarly() == [nil, nil, nil])
    } else {
      #expect(share(.vp8, by: sharer, in: &meeting).isEmpty)
      wantShare(in: &meeting)
      for packet in content.nextFrame() { #expect(meeting.receive(packet, from: sharer) == nil) }
    }
    let ssrcs = meeting.takeVideo().compactMap { RTPPacket($0)?.ssrc }
    #expect(ssrcs == Array(repeating: Self.share.track, count: 3))
  }

  @Test(arguments: Order.allCases)
  func `a content share stays visible when it changes the codec`(order: Order) throws {
    var meeting = VideoMeeting(layers: [11])
    let sharer = SessionSlot(7)
    var content = VideoPublisher(ssrcs: [Self.share.ssrc], using: &meeting.random)
    share(.vp8, by: sharer, in: &meeting)
    wantShare(in: &meeting)
    for packet in content.nextFrame() { meeting.receive(packet, from: sharer) }
    #expect(meeting.takeVideo().count == 3)
    var recoded = H264Publisher(ssrc: Self.share.ssrc)
    var sent = 0
    if order == .packetsFirst {
      for packet in recoded.nextFrame() + recoded.nextFrame() {
        #expect(meeting.receive(packet, from: sharer) == .early)
        sent += 1
      }
      #expect(meeting.takeVideo().isEmpty)
    }
    let outcomes = share(.h264, by: sharer, in: &meeting)
    #expect(outcomes.count == sent && outcomes.allSatisfy { $0 == nil })
    for packet in recoded.nextFrame() { meeting.receive(packet, from: sharer) }
    var viewing = H264Viewing()
    viewing.watch(meeting.takeVideo())
    #expect(viewing.frames.map(\.index) == Array(0..<(order == .packetsFirst ? 3 : 1)))
    #expect(viewing.frames.first?.isKey == true)
    #expect(viewing.packets.allSatisfy { $0.ssrc == Self.share.track })
  }

  @Test func `packets of another session wait until that session owns the source`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    let successor = SessionSlot(7)
    for packet in meeting.publisher.nextFrame() { meeting.receive(packet, from: successor) }
    #expect(meeting.takeEarly().isEmpty)
    #expect(meeting.takeVideo().isEmpty)
    #expect(meeting.change(to: .vp8, publisher: successor) == [nil, nil, nil])
    #expect(meeting.takeVideo().count == 3)
  }

  // MARK: Bounds

  @Test func `the number of waiting packets is bounded, and further packets are refused`() {
    var rules = VideoForwardingParameters()
    rules.early = EarlyVideo.Rules(packetsOfSession: 4, packets: 6)
    var meeting = VideoMeeting(layers: [11], rules: rules)
    for (session, room) in [(SessionSlot(7), 4), (SessionSlot(8), 2)] {
      var camera = H264Publisher(ssrc: 99)
      let packets = camera.nextFrame() + camera.nextFrame() + [camera.packet([0x41, 0x80])]
      let outcomes = packets.map { meeting.receive($0, from: session) }
      #expect(outcomes.prefix(room).allSatisfy { $0 == .early })
      #expect(outcomes.dropFirst(room).allSatisfy { $0 == .unknownSource })
      #expect(outcomes.count == 6)
    }
    #expect(meeting.router.counters.early == 6)
  }

  @Test func `packets with a wrong payload type do not wait`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.publisher.payloadType = 100
    #expect(meeting.receive(meeting.publisher.nextFrame()[0]) == .wrongPayloadType)
    #expect(meeting.router.early.isEmpty)
  }

  @Test func `packets that wait too long are refused`() {
    var meeting = VideoMeeting(layers: [11])
    var camera = H264Publisher(ssrc: 11)
    film(1, &camera, in: &meeting)
    let start = meeting.now
    #expect(meeting.router.refuseLate(at: start.advanced(byUs: 900_000)).isEmpty)
    let late = meeting.router.refuseLate(at: start.advanced(byUs: 1_000_000))
    #expect(late.map(\.refusal) == Array(repeating: .wrongPayloadType, count: 3))
    #expect(meeting.change(to: .h264).isEmpty)
    #expect(meeting.router.counters.refused == [.wrongPayloadType: 3])
  }

  @Test func `waiting packets of a removed session are discarded`() {
    var meeting = VideoMeeting(layers: [11])
    meeting.want(1)
    var camera = H264Publisher(ssrc: 11)
    film(1, &camera, in: &meeting)
    meeting.router.remove(VideoMeeting.ada)
    #expect(meeting.change(to: .h264).isEmpty)
    #expect(meeting.takeVideo().isEmpty)
  }
}
