import CarillonClient
import ClientTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore
@testable import GuidePrograms

/// Tests that run the guides' programs over real sockets, with a gateway that carries out the
/// programs' requests.
@Suite(.timeLimit(.minutes(5))) struct GuideProgramTests {
  /// Returns the tiles that are not paused, according to the requests to the gateway so far.
  private static func flowing(_ asked: [ScriptedVideo.Asked], of tiles: ClosedRange<UInt32>)
    -> [UInt32]
  {
    var paused: Set<UInt32> = []
    for case .pause(let tile, let isPaused) in asked {
      if isPaused { paused.insert(tile) } else { paused.remove(tile) }
    }
    return tiles.filter { !paused.contains($0) }
  }

  private static func name(_ tile: UInt32) -> String { "attendee\(tile)" }

  // MARK: video_pagination.md

  @Test
  func `the program video_pagination shows four tiles per page, speakers first, and keeps pauses`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      let program = await MainActor.run {
        MainQueueBox(value: VideoPagination(audioVideoFacade: client.audioVideo))
      }
      try await client.join()
      client.audioVideo.startRemoteVideo()
      let tiles: ClosedRange<UInt32> = 1...10
      gateway.say(
        .rosterSnapshot(
          V1.RosterSnapshot(
            meetingID: "m", epoch: 1, sequence: 1,
            entries: tiles.map {
              .init(attendee: .init(attendeeID: Self.name($0), externalUserID: Self.name($0)))
            })))
      gateway.say(
        .tileBoardSnapshot(
          V1.TileBoardSnapshot(
            meetingID: "m", epoch: 1, sequence: 1,
            sources: tiles.map { .of(Self.name($0), $0) },
            receivers: [
              .init(
                participantID: "ada",
                tiles: tiles.map {
                  .init(tileID: $0, participantID: Self.name($0), pauseState: .unpaused)
                })
            ])))
      for tile in tiles { try await client.begins(Int(tile), of: Self.name(tile)) }
      func flows(_ expected: [UInt32]) async throws {
        try await gateway.video.asked.wait(for: "\(expected) to flow") {
          Self.flowing($0, of: tiles) == expected
        }
      }
      func onMain(_ body: @escaping @Sendable (VideoPagination) -> Void) async {
        await MainActor.run { body(program.value) }
      }
      try await flows([1, 2, 3, 4])
      await onMain { $0.onPauseToggled(tag: 1, paused: true) }
      try await flows([1, 3, 4])
      await onMain { $0.turn(to: 1) }
      try await flows([5, 6, 7, 8])
      await onMain { $0.turn(to: 0) }
      try await flows([1, 3, 4])
      await onMain { $0.onPauseToggled(tag: 1, paused: false) }
      try await flows([1, 2, 3, 4])
      // An attendee on the last page speaks. This attendee's tile becomes the first tile, and the
      // other tiles keep their order.
      gateway.say(
        .levelsChanged(
          V1.LevelsChanged(
            epoch: 1, tick: 1, volumes: [.init(attendeeID: Self.name(9), level: .high)])))
      try await flows([1, 2, 3, 9])
      let page = await MainActor.run { program.value.attendeeIdsOnCurrentPage }
      #expect(page == [9, 1, 2, 3].map(Self.name))
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  // MARK: configuring_remote_video_subscriptions.md

  @Test func `the program configuring_remote_video_subscriptions pins a tile while sources change`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      let program = await MainActor.run {
        MainQueueBox(value: PinnedTile(audioVideoFacade: client.audioVideo))
      }
      try await client.join()
      gateway.say(.tileBoardSnapshot(.board(.of("bob", 1), .of("cy", 2))))
      func wait(for what: String, _ request: V1.UpdateVideoSubscriptionsRequest) async throws {
        try await gateway.video.asked.wait(for: what) { $0.last == .subscribe(request) }
      }
      func wish(_ id: String, _ priority: V1.VideoPriority) -> V1.VideoSubscription {
        .init(participantID: id, priority: priority, targetWidth: 960, targetHeight: 720)
      }
      try await wait(
        for: "both sources", .init(addedOrUpdated: [wish("bob", .high), wish("cy", .high)]))
      await MainActor.run { program.value.pinTile(attendeeId: "cy") }
      try await wait(for: "the pin", .init(addedOrUpdated: [wish("cy", .highest)]))
      gateway.say(.videoSourcesChanged(.init(unavailable: [.of("bob", 1)])))
      gateway.say(.videoSourcesChanged(.init(available: [.of("dan", 3), .of("bob", 4)])))
      try await wait(
        for: "the new sources", .init(addedOrUpdated: [wish("bob", .high), wish("dan", .high)]))
      let keys = await MainActor.run {
        program.value.videoModel.remoteVideoSourceConfigurations.keys.map(\.attendeeId).sorted()
      }
      #expect(keys == ["bob", "cy", "dan"])
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  // MARK: content_share.md

  /// A screen that calls its observer on the main thread, as capture sources do.
  private final class Screen: NSObject, VideoCaptureSource {
    var videoContentHint = VideoContentHint.text
    private var observers: [any CaptureSourceObserver] = []

    func addVideoSink(sink: any VideoSink) {}
    func removeVideoSink(sink: any VideoSink) {}
    func addCaptureSourceObserver(observer: any CaptureSourceObserver) {
      observers.append(observer)
    }
    func removeCaptureSourceObserver(observer: any CaptureSourceObserver) {}
    func start() { observers.forEach { $0.captureDidStart() } }
    func stop() { observers.forEach { $0.captureDidStop() } }
    func fail() { observers.forEach { $0.captureDidFail(error: .systemFailure) } }
  }

  @Test func `the program content_share shares content while the application captures the screen`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try await client.join()
      let (program, screen) = await MainActor.run {
        let screen = Screen()
        let program = ScreenShare(
          meetingSession: client.meetingSession, screenCaptureSource: screen)
        return (MainQueueBox(value: program), MainQueueBox(value: screen))
      }
      for round in 1...2 {
        await MainActor.run { program.value.methodToStartScreenShare() }
        try await client.sees("share started", times: round)
        await MainActor.run {
          if round == 1 { program.value.methodToStopScreenShare() } else { screen.value.fail() }
        }
        try await client.sees("share stopped ok", times: round)
      }
      await MainActor.run { program.value.shareSlowly() }
      try await client.sees("share started", times: 3)
      let published = gateway.video.asked.entries.compactMap { asked -> V1.PublishedVideo? in
        if case .publish(let video) = asked { video } else { nil }
      }
      #expect(published.allSatisfy { $0.kind == .content && $0.hint == .text })
      #expect(published.last?.layers.map(\.bitsPerSecond) == [200_000])
      #expect((published.first?.layers.last?.bitsPerSecond ?? 0) > 200_000)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  @Test
  func
    `the program content_share shares content from a process that reads the meeting from a file`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/meeting.json"
      try await withScriptedGateway { gateway in
        gateway.onStart = { _, count in .opened(count) }
        let sharer = ConnectedClient(to: gateway.url)
        let viewer = ConnectedClient(to: gateway.url, as: "bob")
        try await sharer.join()
        try await viewer.join()
        let view = await MainActor.run { MainQueueBox(value: DefaultVideoRenderView()) }
        _ = await MainActor.run {
          MainQueueBox(
            value: ContentViewer(meetingSession: viewer.meetingSession, videoView: view.value))
        }
        gateway.video.onPublish = { [unowned gateway] video in
          var video = video
          video.tileID = 4
          gateway.say(.videoSourcesChanged(.init(available: [.of("ada#content", 4)])))
          gateway.say(
            .tilesChanged(
              .init(tiles: [
                .init(tileID: 4, participantID: "ada#content", pauseState: .unpaused)
              ])))
          return .success(video)
        }
        try StoredMeeting.store(sharer.meetingSession, at: path)
        // The test waits on another executor, so that the gateway's thread can answer the process.
        _ = await withTaskExecutorPreference(globalConcurrentExecutor) {
          await #expect(processExitsWith: .success) { [path = path as String] in
            try await Self.broadcast(from: path)
          }
        }
        try await viewer.begins(4, of: "ada#content")
        await viewer.give(4)
        let frameCount = await MainActor.run { view.value.frameCount }
        #expect(frameCount > 0)
        await sharer.give(4)
        #expect(!sharer.seen.entries.contains { $0.contains("ada#content") })
        #expect(gateway.starts.entries.map(\.attendeeID) == ["ada", "bob", "ada#content"])
        #expect(gateway.video.asked.entries.last == .unpublish(.content))
        sharer.audioVideo.stop()
        viewer.audioVideo.stop()
        try await viewer.hears("stopped ok")
        try await sharer.hears("stopped ok")
      }
    }
  }

  /// Runs the guide's program for the process that shares the content.
  private static func broadcast(from path: String) async throws {
    let changes = AwaitableEntryList<String>()
    let upload = try await MainActor.run {
      MainQueueBox(
        value: try BroadcastUpload(
          storedAt: path, source: ScriptedSource(), logger: RecordingLogger(),
          onChange: { changes.append($0) }))
    }
    await MainActor.run { upload.value.broadcastStarted() }
    try await changes.wait(for: "the share") { $0 == ["started"] }
    await MainActor.run { upload.value.broadcastFinished() }
    try await changes.wait(for: "its end") { $0 == ["started", "stopped ok"] }
  }

  @Test func `the broadcast handler of content_share shares the buffers that the system delivers`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/meeting.json"
      try await withScriptedGateway { gateway in
        let logger = RecordingLogger()
        let handler = await MainActor.run {
          MainQueueBox(value: SampleHandler(storedAt: path, logger: logger))
        }
        await MainActor.run { handler.value.broadcastStarted(withSetupInfo: nil) }
        #expect(await MainActor.run { handler.value.failure != nil })
        try StoredMeeting.store(
          OverviewBlocks.makeSession(
            configuration: SessionFixture.configuration(at: gateway.url), logger: logger), at: path)
        let pixels = try #require(
          PixelBuffer(
            width: 16, height: 16, format: .bgra, bytes: [UInt8](repeating: 9, count: 1024),
            bytesPerRow: 64))
        await MainActor.run {
          handler.value.broadcastStarted(withSetupInfo: nil)
          handler.value.processSampleBuffer(
            CMSampleBuffer(imageBuffer: pixels, presentationTimeNs: 1), with: .video)
        }
        try await gateway.video.asked.wait(for: "the share") { asked in
          asked.contains {
            if case .publish(let video) = $0 {
              video.kind == .content && video.hint == .detail
            } else {
              false
            }
          }
        }
        #expect(gateway.starts.entries.map(\.attendeeID) == ["ada#content"])
        await MainActor.run { handler.value.broadcastFinished() }
        try await gateway.stops.wait(for: "its end") { $0.count == 1 }
      }
    }
  }

  @Test func `the source of content_share notifies its observer when capture starts and stops`()
    async throws
  {
    let observer = CaptureNotes()
    let source = ScreenShare.makeSource(logger: OverviewBlocks.makeLogger(), observer: observer)
    source.start()
    source.stop()
    _ = await Recorder().lines()
    #expect(observer.notes == ["start", "stop"])
  }

  // MARK: api_overview.md, section 8

  @Test func `section 8 of api_overview sends a video source and shows local and remote videos`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      let program = await MainActor.run {
        MainQueueBox(value: ShareVideo(meetingSession: client.meetingSession))
      }
      try await client.join()
      let source = ScriptedSource()
      await MainActor.run {
        program.value.sendCamera()
        program.value.send(source)
        program.value.watch()
      }
      gateway.say(.tileBoardSnapshot(.board(.of("bob", 1), tiles: [.bob(1)])))
      try await client.begins(1)
      try await eventually("the local tile") {
        source.give(.blank())
        return client.seen.entries.contains("add 9 ada")
      }
      try await eventually("frames in both views") {
        source.give(.blank())
        await client.give(1)
        return await MainActor.run {
          [1, 9].allSatisfy { (program.value.views[$0]?.frameCount ?? 0) > 0 }
            && program.value.views[9]?.mirror == true
        }
      }
      await MainActor.run { program.value.rest() }
      gateway.say(.tilesChanged(.init(tiles: [.removed(1)])))
      try await client.sees("remove 9")
      try await client.sees("remove 1")
      await drainMain()
      #expect(await MainActor.run { program.value.views.isEmpty })
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  // MARK: replica_meetings.md

  @Test func `the program replica_meetings promotes its user to the stage and demotes the user`()
    async throws
  {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      let source = ScriptedSource()
      let program = await MainActor.run {
        MainQueueBox(
          value: ReplicaMeetings(meetingSession: client.meetingSession, source: source))
      }
      func notes(_ expected: [String]) async throws {
        try await eventually("\(expected)") {
          await MainActor.run { program.value.notes == expected }
        }
      }
      try await client.join()
      await MainActor.run {
        program.value.askToSpeak(
          meetingResponse: CreateMeetingResponse(
            meeting: Meeting(
              externalMeetingId: nil,
              mediaPlacement: MediaPlacement(
                audioFallbackUrl: "wss://meet.example/calls/1", audioHostUrl: "meet.example:7401",
                signalingUrl: "wss://meet.example/control/1",
                turnControlUrl: "https://meet.example/turn"),
              mediaRegion: "local", meetingId: "primary")),
          attendeeResponse: CreateAttendeeResponse(
            attendee: Attendee(attendeeId: "eve", externalUserId: "Eve", joinToken: "token")))
      }
      try await notes(["promoted: ok"])
      #expect(gateway.promotions.entries.map(\.joinToken) == ["token"])
      try await gateway.sent.wait(for: "the question") { $0.map(\.text) == ["I have a question"] }
      try await eventually("the own picture") {
        source.give(.blank())
        return client.seen.entries.contains("add 9 eve")
      }
      await MainActor.run { program.value.stopSpeaking() }
      try await notes(["promoted: ok", "demoted: ok"])
      try await gateway.demotions.wait(for: "the demotion") { $0.count == 1 }
      try await client.sees("remove 9")
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }
}
