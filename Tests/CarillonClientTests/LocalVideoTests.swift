import ClientTestSupport
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore

/// Tests of the video that a session sends.
@Suite(.timeLimit(.minutes(5))) struct LocalVideoTests {
  private func declarations(_ fixture: SessionFixture) -> [VideoDeclaration] {
    fixture.connection.wishes.compactMap {
      guard case .publish(let declaration) = $0 else { return nil }
      return declaration
    }
  }

  // MARK: Requests to the link

  /// Covers rule 40 of the conformance list for `AudioVideoFacade`.
  @Test func `a meeting without video ignores starts of video and asks for no permission`()
    async throws
  {
    let source = ScriptedSource()
    let fixture = SessionFixture(
      permissions: FixedPermissionProvider(cameraPermission: .denied),
      features: MeetingFeatures(video: "none", content: "None"), observesEvents: true)
    fixture.audioVideo.addContentShareObserver(observer: fixture.recorder)
    try await fixture.connect()
    fixture.recorder.forget()
    try fixture.audioVideo.startLocalVideo()
    try fixture.audioVideo.startLocalVideo(config: LocalVideoConfiguration())
    fixture.audioVideo.startLocalVideo(source: source)
    fixture.audioVideo.startLocalVideo(source: source, config: LocalVideoConfiguration())
    fixture.audioVideo.startContentShare(source: ContentShareSource(source))
    #expect(await fixture.recorder.lines() == [])
    #expect(fixture.connection.wishes == [] && fixture.contentConnection.starts == [])
    #expect(source.sinkCount == 0)
    #expect(!fixture.logger.lines.contains { $0.hasPrefix("fault") })
  }

  @Test func `the internal camera's permission is checked before anything else`()
    async throws
  {
    let fixture = SessionFixture(
      permissions: FixedPermissionProvider(cameraPermission: .denied), observesEvents: true,
      makeCamera: { ScriptedSource() })
    for isStarted in [false, true] {
      if isStarted { try await fixture.connect() }
      fixture.recorder.forget()
      #expect(throws: PermissionError.videoPermissionError) {
        try fixture.audioVideo.startLocalVideo()
      }
      #expect(await fixture.recorder.lines() == ["event videoInputFailed"])
    }
    #expect(fixture.connection.wishes == [])
  }

  @Test func `calls of video functions before the start and after the stop are logged as faults`()
    async throws
  {
    let source = ScriptedSource()
    let fixture = SessionFixture(makeCamera: { source })
    func call() throws {
      try fixture.audioVideo.startLocalVideo()
      fixture.audioVideo.startLocalVideo(source: source)
      fixture.audioVideo.stopLocalVideo()
      fixture.audioVideo.startRemoteVideo()
      fixture.audioVideo.stopRemoteVideo()
      fixture.audioVideo.updateVideoSourceSubscriptions(addedOrUpdated: [:], removed: [])
    }
    try call()
    try await fixture.connect()
    fixture.audioVideo.stop()
    try call()
    #expect(fixture.logger.lines.count { $0.hasPrefix("fault") } == 12)
    #expect(fixture.connection.wishes == [])
    #expect(source.commands == [] && source.sinkCount == 0)
  }

  @Test func `only the last source is sent, and a replaced camera stops`() async throws {
    let (camera, own) = (ScriptedSource(), ScriptedSource())
    own.videoContentHint = .detail
    let fixture = SessionFixture(makeCamera: { camera })
    try await fixture.connect()
    try fixture.audioVideo.startLocalVideo()
    #expect((camera.commands, camera.sinkCount) == (["start"], 1))
    fixture.audioVideo.startLocalVideo(source: own)
    #expect((camera.commands, camera.sinkCount, own.sinkCount) == (["start", "stop"], 0, 1))
    try fixture.audioVideo.startLocalVideo(config: LocalVideoConfiguration())
    #expect((camera.commands.count, camera.sinkCount, own.sinkCount) == (3, 1, 0))
    fixture.audioVideo.stopLocalVideo()
    #expect((camera.commands.last, camera.sinkCount) == ("stop", 0))
    #expect(fixture.connection.wishes.last == .unpublish)
    #expect(declarations(fixture).map(\.hint) == [.motion, .detail, .motion])
  }

  @Test func `the end of a session removes the sink from the source`() async throws {
    let source = ScriptedSource()
    let fixture = SessionFixture()
    try await fixture.connect()
    fixture.audioVideo.startLocalVideo(source: source)
    fixture.audioVideo.stop()
    #expect(source.sinkCount == 0)
  }

  /// Covers rule 41 of the conformance list for `AudioVideoFacade`.
  @Test(arguments: [
    ("hd", UInt32(0), true, [150, 500, 1400]), ("hd", 0, false, [1400]),
    ("hd", 600, true, [150, 600]), ("hd", 200, true, [200]), ("hd", 5000, true, [150, 500, 5000]),
    ("fhd", 600, true, [150, 500, 2500]), ("fhd", 0, false, [2500]), ("uhd", 800, false, [800]),
    ("hd", .max, false, [4_294_967]),
  ])
  func `a bitrate limit applies to the largest picture, and full HD has its own limit`(
    feature: String, cap: UInt32, isSimulcast: Bool, kbps: [Int]
  ) {
    let declaration = VideoDeclaration.camera(
      1, hint: .none,
      config: LocalVideoConfiguration(maxBitRateKbps: cap, simulcastEnabled: isSimulcast),
      features: MeetingFeatures(video: feature, content: nil))
    #expect(declaration.layers.map { $0.bitsPerSecond / 1000 } == kbps)
    let limit = MeetingFeatures(video: feature, content: nil).videoMaxResolution
    #expect(declaration.layers.last?.width == limit.width)
    let widths = declaration.layers.map(\.width)
    #expect(widths == widths.sorted())
  }

  /// Covers rule 41 of the conformance list for `AudioVideoFacade`.
  @Test(arguments: [
    ("fhd", UInt32(0), 1800), ("fhd", 200, 200), ("uhd", 200, 2500), ("hd", 0, 1800),
  ])
  func `ultra HD content has its own bitrate limit and one layer`(
    feature: String, cap: UInt32, kbps: Int
  ) {
    let declaration = VideoDeclaration.content(
      1, hint: .text, config: LocalVideoConfiguration(maxBitRateKbps: cap),
      features: MeetingFeatures(video: nil, content: feature))
    #expect(declaration.layers.map(\.bitsPerSecond) == [kbps * 1000])
    #expect(declaration.kind == .content)
  }

  // MARK: Over sockets

  private func join(
    _ body: @escaping @Sendable (ConnectedClient, ScriptedGateway) async throws -> Void
  ) async throws {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      gateway.say(.tileBoardSnapshot(.board()))
      try await body(client, gateway)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  private func published(_ asked: ScriptedVideo.Asked?) throws -> V1.PublishedVideo {
    guard case .publish(let video) = asked else { throw TimeoutError("a publish", after: .zero) }
    return video
  }

  @Test func `the local tile is added at the first local frame and removed with the video`()
    async throws
  {
    try await join { client, gateway in
      let source = ScriptedSource()
      client.audioVideo.startLocalVideo(source: source)
      let video = try published(await gateway.video.asked(1).last)
      #expect((video.kind, video.hint, video.tileID) == (.camera, .motion, 0))
      #expect(video.layers.map(\.width) == [320, 640, 1280])
      #expect(video.layers.allSatisfy { $0.codec == .vp8 && $0.ssrc == 0 })
      try await eventually("the local tile") {
        source.give(.blank())
        return client.seen.entries.contains("add 9 ada")
      }
      client.audioVideo.stopLocalVideo()
      source.give(.blank())
      #expect(try await gateway.video.asked(2).last == .unpublish(.camera))
      try await client.sees("remove 9")
    }
  }

  @Test func `a new source keeps the tile id and the SSRCs of the earlier source`() async throws {
    try await join { client, gateway in
      client.audioVideo.startLocalVideo(source: ScriptedSource())
      _ = try await gateway.video.asked(1)
      try await eventually("the second declaration has the first one's numbers") {
        client.audioVideo.startLocalVideo(source: ScriptedSource())
        let count = gateway.video.asked.entries.count
        let video = try published(await gateway.video.asked(count + 1).last)
        return video.tileID == 9 && video.trackSSRC == 900
      }
    }
  }

  @Test func `a camera that the server refuses is not sent, and the camera's source is released`()
    async throws
  {
    try await join { client, gateway in
      gateway.video.onPublish = { _ in
        .failure(Status(.resourceExhausted, "Full.", session: .videoAtCapacityViewOnly))
      }
      let source = ScriptedSource()
      client.audioVideo.startLocalVideo(source: source)
      try await eventually("the source is let go") { source.sinkCount == 0 }
      gateway.say(
        .cameraAvailabilityChanged(.init(status: .videoAtCapacityViewOnly, isAvailable: false)))
      try await client.sees("camera false")
      #expect(client.seen.entries.contains("started videoAtCapacityViewOnly"))
      #expect(gateway.video.asked.entries.count == 1)
      #expect(client.logger.lines.contains { $0.contains("Full.") })
    }
  }

  @Test func `when the server ends a publication, the tile of the publication is removed`()
    async throws
  {
    try await join { client, gateway in
      let source = ScriptedSource()
      client.audioVideo.startLocalVideo(source: source)
      try await eventually("the local tile") {
        source.give(.blank())
        return client.seen.entries.contains("add 9 ada")
      }
      let why = V1.Status(Status(.permissionDenied, "You may not."))
      gateway.say(.publishedVideoEnded(.init(tileID: 8, kind: .camera, status: why)))
      gateway.say(.videoSourcesChanged(.init(available: [.of("cy", 2)])))
      try await client.sees("available cy")
      #expect(source.sinkCount == 1)
      gateway.say(.publishedVideoEnded(.init(tileID: 9, kind: .camera, status: why)))
      try await client.sees("remove 9")
      #expect(source.sinkCount == 0)
      #expect(gateway.video.asked.entries.count == 1)
    }
  }

  @Test func `a client restores its videos and subscriptions after a lost connection`() async throws
  {
    try await join { client, gateway in
      let source = ScriptedSource()
      client.audioVideo.startRemoteVideo()
      client.audioVideo.startLocalVideo(source: source)
      gateway.say(.tileBoardSnapshot(.board(.of("bob", 1), .of("cy", 2), tiles: [.bob(1)])))
      try await client.begins(1)
      client.audioVideo.pauseRemoteVideoTile(tileId: 1)
      _ = try await gateway.video.asked(3)
      try await eventually("the local tile") {
        source.give(.blank())
        return client.seen.entries.contains("add 9 ada")
      }
      let mark = client.seen.entries.count
      gateway.onStart = { _, count in
        var started = V1.SessionStarted.opened(0, resuming: true)
        started.isRecovered = true
        return started
      }
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      gateway.relay.set(.open)
      let request = try await gateway.starts.wait(for: "the return") { $0.count == 2 }[1]
      #expect(gateway.starts.entries[0].video == nil)
      let choices = try #require(request.video)
      #expect(choices.isReceiving && choices.pausedTileIDs == [1])
      #expect(choices.subscriptions == nil)
      let declared = try #require(choices.published.first)
      #expect((declared.tileID, declared.trackSSRC) == (9, 900))
      #expect(declared.layers.map(\.ssrc) == [901, 902, 903])
      // The client publishes its video again, because the video's tile id and SSRCs may have
      // changed.
      #expect(try published(await gateway.video.asked(4).last).tileID == 9)
      let seen = try await client.seen(from: mark, to: "started ok")
      #expect(seen == ["connecting", "started ok"])
      #expect(source.sinkCount == 1)
    }
  }

  @Test func `a client that reconnects requests the tile id and SSRCs that a new owner assigned`()
    async throws
  {
    try await join { client, gateway in
      let source = ScriptedSource()
      client.audioVideo.startLocalVideo(source: source)
      _ = try await gateway.video.asked(1)
      try await eventually("the local tile") {
        source.give(.blank())
        return client.seen.entries.contains("add 9 ada")
      }
      gateway.say(.tileBoardSnapshot(.board(.of("ada", 12), .of("bob", 1), epoch: 2)))
      try await eventually("the local tile anew") {
        source.give(.blank())
        return client.seen.entries.contains("add 12 ada")
      }
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      gateway.relay.set(.open)
      let request = try await gateway.starts.wait(for: "the return") { $0.count == 2 }[1]
      let declared = try #require(request.video?.published.first)
      #expect((declared.tileID, declared.trackSSRC) == (12, 12_000))
      #expect(declared.layers.first?.ssrc == 1_200)
    }
  }

  @Test func `after a reconnect with a new snapshot, only changed sources and tiles are reported`()
    async throws
  {
    try await join { client, gateway in
      gateway.say(
        .tileBoardSnapshot(
          .board(
            .of("bob", 1), .of("cy", 2), tiles: [.bob(1, .pausedForPoorConnection)])))
      try await client.sees("add 1 bob")
      let mark = client.seen.entries.count
      gateway.relay.set(.cut)
      try await client.hears("dropped")
      gateway.relay.set(.open)
      try await client.hears("started true")
      gateway.say(
        .tileBoardSnapshot(
          .board(
            .of("bob", 1), .of("dan", 3), tiles: [.bob(1)], sequence: 8,
            status: .videoAtCapacityViewOnly, isAvailable: false)))
      let seen = try await client.seen(from: mark, to: "resume 1")
      #expect(
        seen == [
          "connecting", "started videoAtCapacityViewOnly", "camera false", "unavailable cy",
          "available dan", "resume 1",
        ])
    }
  }
}
