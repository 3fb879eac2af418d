import Foundation
import TestSupport
import Testing
import Trials

@testable import CarillonClientCore
@testable import CarillonClientMedia

@Suite(.serialized, .timeLimit(.minutes(5)))
struct VideoPathTests {
  private static let size = (width: 640, height: 360)
  private static let pattern = TestPattern(
    width: size.width, height: size.height, tint: (140, 110))

  /// Sends the test pattern to an engine, as a camera does.
  private func film(
    _ engine: RTPMediaEngine, framesPerSecond: Int = 15,
    turning rotation: @escaping @Sendable (Int) -> VideoRotation = { _ in .rotation0 }
  ) -> FrameTicker {
    let ticker = FrameTicker()
    ticker.start(framesPerSecond: framesPerSecond) { number in
      guard let buffer = Self.pattern.picture(number) else { return }
      let frame = VideoFrame(
        timestampNs: Int64(DispatchTime.now().uptimeNanoseconds), rotation: rotation(number),
        buffer: buffer)
      engine.send(frame, number: 1)
    }
    return ticker
  }

  private func connect(_ fixture: MediaFixture, layers: [UInt32: UInt32]) async throws {
    let routes = layers.map { layer, track in
      ScriptedMedia.Route(
        from: MediaFixture.ticketA, ssrc: layer, to: MediaFixture.ticketB, as_: track)
    }
    await fixture.media.setRoutes(routes)
    fixture.b.setReceived(layers.values.map { RemoteVideoTrack(tileId: Int($0), ssrc: $0) })
    fixture.b.move(to: fixture.place(MediaFixture.ticketB))
    try await fixture.media.shown.wait(for: "b's ticket") { !$0.isEmpty }
    fixture.a.setPublished(MediaFixture.publication)
    fixture.a.move(to: fixture.place(MediaFixture.ticketA))
  }

  @Test func `three layers arrive, each in its own size, and each frame arrives with its number`()
    async throws
  {
    try await withMedia { fixture in
      try await connect(fixture, layers: [101: 201, 102: 202, 103: 203])
      let film = film(fixture.a)
      defer { film.stop() }
      let seen = try await fixture.earB.seen.wait(for: "frames") { seen in
        (201...203).allSatisfy { tile in seen.count { $0.tileId == tile } >= 20 }
      }
      for (tile, share) in [(201, 4), (202, 2), (203, 1)] {
        let frames = seen.filter { $0.tileId == tile }
        let sizes = Set(frames.map { [$0.width, $0.height] })
        #expect(sizes == [[Self.size.width / share, Self.size.height / share]])
        let numbers = frames.compactMap(\.number)
        #expect(numbers.count == frames.count)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
      }
    }
  }

  private static func rotation(_ number: Int) -> VideoRotation {
    [.rotation90, .rotation0, .rotation270, .rotation180][number / 8 % 4]
  }

  @Test func `pictures of a rotated camera arrive with their rotation`() async throws {
    try await withMedia { fixture in
      try await connect(fixture, layers: [103: 203])
      let film = film(fixture.a) { Self.rotation($0) }
      defer { film.stop() }
      let seen = try await fixture.earB.seen.wait(for: "frames") { $0.count >= 50 }
      for frame in seen {
        let number = try #require(frame.number)
        #expect(frame.rotation == Self.rotation(number), "frame \(number)")
      }
      #expect(Set(seen.map(\.rotation)).count == 4)
    }
  }

  @Test func `video recovers from five per cent of loss`() async throws {
    try await withMedia { fixture in
      var impairment = Impairment(seed: 9)
      impairment.loss = 0.05
      impairment.duplicates = 0.01
      impairment.reordered = 0.02
      impairment.jitter = .milliseconds(5)
      await fixture.media.impair(impairment)
      try await connect(fixture, layers: [103: 203])
      let film = film(fixture.a)
      defer { film.stop() }
      let seen = try await fixture.earB.seen.wait(for: "frames", within: .seconds(30)) {
        $0.count >= 90
      }
      let spoilt = await fixture.media.spoilt
      #expect(spoilt.lost > 0)
      let numbers = seen.compactMap(\.number)
      #expect(numbers.count == seen.count)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test func `a receiver that joins late requests a key frame`() async throws {
    try await withMedia { fixture in
      fixture.a.setPublished(MediaFixture.publication)
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      let film = film(fixture.a)
      defer { film.stop() }
      try await fixture.media.packets.wait(for: "packets") { $0.count { $0 == 102 } > 30 }
      fixture.b.setReceived([RemoteVideoTrack(tileId: 202, ssrc: 202)])
      await fixture.media.setRoutes([
        ScriptedMedia.Route(
          from: MediaFixture.ticketA, ssrc: 102, to: MediaFixture.ticketB, as_: 202)
      ])
      fixture.b.move(to: fixture.place(MediaFixture.ticketB))
      try await fixture.earB.seen.wait(for: "frames", within: .seconds(5)) { $0.count > 5 }
    }
  }

  @Test func `pictures continue when a new media service uses lower sequence numbers`()
    async throws
  {
    try await withMedia { fixture in
      try await connect(fixture, layers: [101: 201])
      let film = film(fixture.a)
      defer { film.stop() }
      try await fixture.earB.seen.wait(for: "frames") { $0.count >= 5 }
      await fixture.media.countBack(2_000)
      let before = fixture.earB.seen.entries.count
      fixture.b.move(to: fixture.place(MediaFixture.ticketB, term: 2))
      try await fixture.earB.seen.wait(for: "frames after the move", within: .seconds(10)) {
        $0.count >= before + 5
      }
    }
  }

  @Test func `the metrics match the video that is sent and received`() async throws {
    try await withMedia { fixture in
      try await connect(fixture, layers: [103: 203])
      let film = film(fixture.a)
      defer { film.stop() }
      fixture.a.take(
        ServerMeasuredMetrics(videoSendLossPercent: 1.5, availableSendBitsPerSecond: 2_000_000))
      // A busy machine may delay some of a second's 15 pictures to the next second.
      let sent = try await fixture.earA.figures.wait(for: "a second with 12 to 18 pictures") {
        $0.count >= 4 && (12...18).contains($0.last?[.videoSendFps] ?? 0)
      }
      let received = try await fixture.earB.figures.wait(for: "four seconds") { $0.count >= 4 }
      let last = try #require(sent.last)
      #expect(try #require(last[.videoSendBitrate]) > 20_000)
      #expect(last[.videoSendPacketLossPercent] == 1.5)
      #expect(last[.videoAvailableSendBandwidth] == 2_000_000)
      #expect(try #require(last[.videoSendRttMs]) < 1000)
      #expect(try #require(received.last?[.videoReceiveBitrate]) > 10_000)
      #expect(received.last?[.videoReceivePacketLossPercent] == 0)
      #expect(received.last?[.videoSendBitrate] == nil)
    }
  }

  @Test func `a track that is not announced is not decoded`() async throws {
    try await withMedia { fixture in
      try await connect(fixture, layers: [101: 201])
      fixture.b.setReceived([])
      let film = film(fixture.a)
      defer { film.stop() }
      try await fixture.media.packets.wait(for: "packets") { $0.count { $0 == 101 } > 20 }
      #expect(fixture.earB.seen.entries == [])
    }
  }
  @Test func `a sink receives H.264 from a requested key frame on, and the tile has a size`()
    async throws
  {
    try await withMedia { fixture in
      fixture.b.setReceived([RemoteVideoTrack(tileId: 7, ssrc: 201)])
      fixture.b.move(to: fixture.place(MediaFixture.ticketB))
      try await fixture.media.shown.wait(for: "b's ticket") { !$0.isEmpty }
      var stream = H264TestStream(seed: 1, ssrc: 201)
      func send(_ packets: [[UInt8]]) async {
        for packet in packets { await fixture.media.send(packet, to: MediaFixture.ticketB) }
      }
      await send(stream.add(isKeyFrame: true) + stream.add(isKeyFrame: false))
      try await fixture.earB.encoded.wait(for: "two frames") {
        $0 == [[7, 640, 360], [7, 640, 360]]
      }
      #expect(fixture.media.keyFrameRequests.entries.isEmpty)
      let sink = NotedFrames()
      fixture.b.addEncodedVideoSink(sink, of: 7)
      try await fixture.media.keyFrameRequests.wait(for: "a request") { $0.contains(201) }
      await send(
        stream.add(isKeyFrame: false)
          + stream.add(isKeyFrame: true, parameters: H264TestStream.largeParameters)
          + stream.add(isKeyFrame: false))
      let frames = try await sink.frames.wait(for: "two frames") { $0.count == 2 }
      #expect(frames.map(\.data) == stream.frames.suffix(2).map(\.bytes))
      #expect(frames.map(\.isKeyFrame) == [true, false])
      #expect(frames.allSatisfy { $0.codec == .h264 && $0.width == 1_920 && $0.height == 1_080 })
      #expect(frames[1].timestampNs - frames[0].timestampNs == 33_333_333)
      try await fixture.earB.encoded.wait(for: "five frames") { $0.last == [7, 1_920, 1_080] }
      fixture.b.removeEncodedVideoSink(sink, of: 7)
      await send(stream.add(isKeyFrame: true))
      try await fixture.earB.encoded.wait(for: "another frame") { $0.last == [7, 640, 360] }
      #expect(sink.frames.entries.count == 2)
      #expect(fixture.earB.seen.entries.isEmpty)
    }
  }

  @Test func `a sink that was added before the start receives frames until the end`() async throws {
    try await withMedia { fixture in
      let (early, late) = (NotedFrames(), NotedFrames())
      var stream = H264TestStream(seed: 2, ssrc: 201)
      /// Starts the session, and sends it a key frame.
      func start(sending count: Int) async throws {
        fixture.b.begin(telling: fixture.earB, SessionMediaSettings())
        fixture.b.setReceived([RemoteVideoTrack(tileId: 7, ssrc: 201)])
        let before = fixture.media.shown.entries.count
        fixture.b.move(to: fixture.place(MediaFixture.ticketB))
        try await fixture.media.shown.wait(for: "b's ticket") { $0.count > before }
        for packet in stream.add(isKeyFrame: true) {
          await fixture.media.send(packet, to: MediaFixture.ticketB)
        }
        try await fixture.earB.encoded.wait(for: "\(count) frames") { $0.count == count }
      }
      fixture.b.end()
      fixture.b.addEncodedVideoSink(early, of: 7)
      try await start(sending: 1)
      let frames = try await early.frames.wait(for: "a frame") { !$0.isEmpty }
      #expect(frames.map(\.data) == stream.frames.map(\.bytes))
      fixture.b.end()
      fixture.b.addEncodedVideoSink(late, of: 7)
      try await start(sending: 2)
      try await late.frames.wait(for: "a frame") { !$0.isEmpty }
      #expect(early.frames.entries.count == 1)
    }
  }

  @Test func `a sink receives VP8 from a key frame on, and the pictures continue`() async throws {
    try await withMedia { fixture in
      try await connect(fixture, layers: [101: 201])
      let film = film(fixture.a)
      defer { film.stop() }
      try await fixture.earB.seen.wait(for: "frames") { $0.count >= 5 }
      let sink = NotedFrames()
      fixture.b.addEncodedVideoSink(sink, of: 201)
      let frames = try await sink.frames.wait(for: "frames") { $0.count >= 5 }
      #expect(frames.map(\.isKeyFrame).prefix(2) == [true, false])
      #expect(frames.allSatisfy { $0.codec == .vp8 && $0.width == 160 && $0.height == 90 })
      // A busy machine may skip pictures, but their order stays.
      let count = fixture.earB.seen.entries.count
      let shown = try await fixture.earB.seen.wait(for: "more frames") { $0.count >= count + 5 }
      let numbers = shown.compactMap(\.number)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    }
  }
}
