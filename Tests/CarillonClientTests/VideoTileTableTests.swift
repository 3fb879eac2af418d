import Testing

@testable import CarillonClientCore

/// Tests of tiles, as observers and views receive them.
@MainActor struct VideoTileTableTests {
  private let recorder = Recorder()
  private let statistics = MeetingStatisticsCollector(uptimeMs: { 0 })
  private let logger = RecordingLogger()
  private let table: VideoTileTable

  init() {
    table = VideoTileTable(
      of: LocalAttendeeIdentity(
        MeetingSessionCredentials(attendeeId: "ada", externalUserId: "", joinToken: "")),
      statistics: statistics, log: SessionLogger(logger: logger))
    table.observers.add(recorder)
  }

  /// A view that adds its frames to the recorded callbacks.
  private final class NotingView: VideoRenderView {
    let recorder: Recorder
    init(_ recorder: Recorder) { self.recorder = recorder }
    func onVideoFrameReceived(frame: VideoFrame) {
      recorder.note("view \(frame.width)x\(frame.height)")
    }
  }

  private func show(_ tileId: Int, _ pauseState: VideoPauseState = .unpaused) {
    table.take([.shown(tileId: tileId, attendeeId: "bob", pauseState)])
  }

  private func heard() async -> [String] {
    defer { recorder.forget() }
    return await recorder.lines()
  }

  @Test func `a tile is added at its first frame, and no view receives this frame`() async {
    show(1)
    #expect(await heard() == [])
    table.receive(.blank(), of: 1)
    #expect(await heard() == ["add 1 bob unpaused 640x360"])
    table.take([.ended(tileId: 1)])
    #expect(await heard() == ["remove 1"])
  }

  @Test func `a tile whose frames are not decoded is added, and changes its size and pause`() async
  {
    table.receiveEncoded(width: 640, height: 360, of: 1)
    show(1)
    table.receiveEncoded(width: 640, height: 360, of: 1)
    table.receiveEncoded(width: 640, height: 360, of: 1)
    #expect(await heard() == ["add 1 bob unpaused 640x360"])
    table.receiveEncoded(width: 320, height: 180, of: 1)
    #expect(await heard() == ["size 1 320x180"])
    show(1, .pausedForPoorConnection)
    show(1)
    #expect(await heard() == ["pause 1", "resume 1"])
    table.take([.ended(tileId: 1)])
    #expect(await heard() == ["remove 1"])
  }

  @Test func `a frame of an unknown tile is ignored`() async {
    table.receive(.blank(), of: 1)
    show(1)
    table.receive(.blank(), of: 1)
    table.take([.ended(tileId: 1)])
    table.receive(.blank(), of: 1)
    #expect(await heard() == ["add 1 bob unpaused 640x360", "remove 1"])
  }

  /// Covers rule 34 of the conformance list for `AudioVideoFacade`.
  @Test func `a tile that starts paused is added as paused, without other callbacks`()
    async
  {
    show(1, .pausedForPoorConnection)
    #expect(await heard() == ["add 1 bob pausedForPoorConnection 0x0"])
    show(1, .pausedForPoorConnection)
    #expect(await heard() == [])
  }

  /// Covers rule 35 of the conformance list for `AudioVideoFacade`.
  @Test func `a view gets the frame first, and then the new size and the resume are reported`()
    async
  {
    let view = NotingView(recorder)
    table.receive(nil, of: 1, from: "bob", pauseState: .pausedForPoorConnection)
    table.bind(view, to: 1)
    table.receive(.blank(320, 180), of: 1, from: "bob", pauseState: .unpaused)
    #expect(
      await heard() == [
        "view 320x180", "add 1 bob unpaused 320x180", "size 1 320x180", "resume 1",
      ])
    table.receive(.blank(320, 180), of: 1, from: "bob", pauseState: .unpaused)
    table.receive(.blank(640, 180), of: 1, from: "bob", pauseState: .pausedForPoorConnection)
    #expect(
      await heard() == ["view 320x180", "size 1 640x180", "pause 1"])
    table.receive(nil, of: 1, from: "bob", pauseState: .unpaused)
    table.receive(nil, of: 1, from: "bob", pauseState: .unpaused)
    #expect(await heard() == ["remove 1"])
  }

  /// Covers rule 36 of the conformance list for `AudioVideoFacade`.
  @Test func `a second pause is not reported, and a user's resume ends only the user's own pause`()
    async
  {
    show(1)
    table.receive(.blank(), of: 1)
    #expect(table.setPausedByUser(true, 1))
    #expect(table.setPausedByUser(true, 1))
    #expect(table.setPausedByUser(false, 1))
    #expect(table.setPausedByUser(false, 1))
    #expect(
      await heard().dropFirst() == ["pause 1", "resume 1"])
    show(1, .pausedForPoorConnection)
    #expect(table.setPausedByUser(false, 1))
    #expect(await heard() == ["pause 1"])
    #expect(!table.setPausedByUser(true, 2))
  }

  /// Covers rule 36 of the conformance list for `AudioVideoFacade`.
  @Test func `the local tile can be neither paused nor resumed`() async {
    table.expectLocalTile(9)
    table.receiveLocal(.blank())
    #expect(!table.setPausedByUser(true, 9))
    #expect(!table.setPausedByUser(false, 9))
    #expect(await heard() == ["add 9 ada unpaused 640x360"])
    #expect(logger.lines.count { $0.hasPrefix("fault: Tile 9") } == 2)
  }

  /// Covers rule 37 of the conformance list for `AudioVideoFacade`.
  @Test
  func `a user's pause hides network pauses until the server's first report after the resume`()
    async
  {
    show(1)
    table.receive(.blank(), of: 1)
    _ = table.setPausedByUser(true, 1)
    #expect(await heard().last == "pause 1")
    show(1, .pausedForPoorConnection)
    show(1, .unpaused)
    show(1, .pausedForPoorConnection)
    #expect(await heard() == [])
    _ = table.setPausedByUser(false, 1)
    #expect(await heard() == ["resume 1"])
    show(1, .pausedForPoorConnection)
    show(1, .unpaused)
    #expect(await heard() == ["pause 1", "resume 1"])
  }

  /// Covers rule 37 of the conformance list for `AudioVideoFacade`.
  @Test func `a user's pause replaces a pause by the network`() async {
    show(1, .pausedForPoorConnection)
    _ = await heard()
    _ = table.setPausedByUser(true, 1)
    _ = table.setPausedByUser(false, 1)
    #expect(await heard() == ["pause 1", "resume 1"])
  }

  @Test func `a late report of a user's pause does not pause the tile again`() async {
    show(1)
    table.receive(.blank(), of: 1)
    _ = table.setPausedByUser(true, 1)
    _ = table.setPausedByUser(false, 1)
    _ = await heard()
    show(1, .pausedByUserRequest)
    table.receive(.blank(), of: 1)
    show(1, .unpaused)
    #expect(await heard() == [])
  }

  @Test func `frames that arrive after a pause do not end the pause`() async {
    let view = NotingView(recorder)
    show(1)
    table.receive(.blank(), of: 1)
    table.bind(view, to: 1)
    show(1, .pausedForPoorConnection)
    table.receive(.blank(), of: 1)
    _ = table.setPausedByUser(true, 1)
    table.receive(.blank(), of: 1)
    #expect(!(await heard()).contains { $0.hasPrefix("view") || $0.hasPrefix("resume") })
  }

  /// Covers rule 38 of the conformance list for `AudioVideoFacade`.
  @Test func `a view shows only its latest tile, and a tile appears only in its latest view`() {
    let (first, second) = (DefaultVideoRenderView(), DefaultVideoRenderView())
    for tileId in [1, 2] {
      show(tileId)
      table.receive(.blank(), of: tileId)
    }
    func give() {
      for tileId in [1, 2] { table.receive(.blank(), of: tileId) }
    }
    table.bind(first, to: 1)
    table.bind(first, to: 2)
    give()
    #expect(first.frameCount == 1)
    table.bind(second, to: 2)
    give()
    #expect((first.frameCount, second.frameCount) == (1, 1))
    table.bind(second, to: 2)
    give()
    #expect(second.frameCount == 2)
    table.bind(second, to: 99)
    give()
    #expect(second.frameCount == 2)
    table.unbind(99)
  }

  @Test func `an unbound tile continues without a view`() async {
    let view = DefaultVideoRenderView()
    show(1)
    table.receive(.blank(), of: 1)
    table.bind(view, to: 1)
    table.unbind(1)
    table.receive(.blank(), of: 1)
    table.take([.ended(tileId: 1)])
    #expect(view.frameCount == 0)
    #expect(await heard() == ["add 1 bob unpaused 640x360", "remove 1"])
  }

  @Test
  func `the local tile is replaced when its tile id changes, and is removed with the local video`()
    async
  {
    table.receiveLocal(.blank())
    table.expectLocalTile(9)
    table.expectLocalTile(9)
    table.receiveLocal(.blank())
    table.expectLocalTile(12)
    table.receiveLocal(.blank())
    table.endLocalTile()
    table.receiveLocal(.blank())
    #expect(
      await heard() == [
        "add 9 ada unpaused 640x360", "remove 9", "add 12 ada unpaused 640x360", "remove 12",
      ])
  }

  @Test func `the end of a session ends all tiles and records the maximum number of tiles`() async {
    for tileId in [1, 2, 3] { show(tileId, .pausedForPoorConnection) }
    table.take([.ended(tileId: 2)])
    table.clear()
    table.receive(.blank(), of: 1)
    #expect(await heard().suffix(3) == ["remove 2", "remove 1", "remove 3"])
    let attributes = statistics.attributes(for: .meetingEnded)
    #expect(attributes[.maxVideoTileCount] as? Int == 3)
  }

  @Test func `a tile state distinguishes content from a camera and follows later changes`()
    async throws
  {
    final class Keeper: VideoTileObserver {
      var states: [VideoTileState] = []
      func videoTileDidAdd(tileState: VideoTileState) { states.append(tileState) }
      func videoTileDidRemove(tileState: VideoTileState) {}
      func videoTileDidPause(tileState: VideoTileState) {}
      func videoTileDidResume(tileState: VideoTileState) {}
      func videoTileSizeDidChange(tileState: VideoTileState) {}
    }
    let keeper = Keeper()
    table.observers.add(keeper)
    table.take([.shown(tileId: 4, attendeeId: "bob#content", .pausedForPoorConnection)])
    _ = await heard()
    let state = try #require(keeper.states.first)
    #expect(state.isContent && !state.isLocalTile)
    table.take([.shown(tileId: 4, attendeeId: "bob#content", .unpaused)])
    #expect(state.pauseState == .unpaused)
  }
}

struct VideoFrameI420BufferTests {
  private func buffer(
    _ width: Int, _ height: Int, y: Int, strideY: Int, u: Int, strideU: Int
  ) -> VideoFrameI420Buffer? {
    let chroma = [UInt8](repeating: 128, count: u)
    return VideoFrameI420Buffer(
      width: width, height: height, dataY: [UInt8](repeating: 0, count: y), strideY: strideY,
      dataU: chroma, strideU: strideU, dataV: chroma, strideV: strideU)
  }

  @Test(arguments: [
    (4, 2, 8, 4, 2, 2, true), (3, 3, 9, 3, 4, 2, true), (1, 1, 1, 1, 1, 1, true),
    (3, 3, 9, 3, 3, 2, false), (3, 3, 8, 3, 4, 2, false), (4, 2, 8, 3, 2, 2, false),
    (4, 2, 12, 8, 2, 2, true), (4, 2, 11, 8, 2, 2, false), (0, 2, 8, 4, 2, 2, false),
    (4, -2, 8, 4, 2, 2, false), (16_384, 1, 16_384, 16_384, 8192, 8192, false),
    (2, 3, 8, Int.max, 2, 2, false),
  ])
  func `a picture needs all the bytes that its size and strides require`(
    width: Int, height: Int, y: Int, strideY: Int, u: Int, strideU: Int, isTaken: Bool
  ) {
    let buffer = buffer(width, height, y: y, strideY: strideY, u: u, strideU: strideU)
    #expect((buffer != nil) == isTaken)
    guard let buffer else { return }
    let frame = VideoFrame(timestampNs: 1, rotation: .rotation90, buffer: buffer)
    #expect((frame.width, frame.height) == (width, height))
  }
}
