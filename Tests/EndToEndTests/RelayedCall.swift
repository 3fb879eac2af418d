import CarillonClient
import TestSupport
import Testing
import Trials
import Wire
import ZeroMQ

/// A call in which Ada sends a continuous tone and video to Bea. Both clients connect to media
/// through a relay that can impair packets.
struct RelayedCall: Sendable {
  let relay: PacketRelay
  let figures: MediaFigures
  let ada: MediaParticipant
  let bea: MediaParticipant

  /// The id of the tile of Ada's camera.
  let tile: Int

  /// The payload types of all sessions in both directions.
  static let opus: UInt8 = 111
  static let vp8: UInt8 = 96

  /// Runs `body` when Bea receives audio and video.
  static func run(_ body: (RelayedCall) async throws -> Void) async throws {
    let port = try PortRange.freePort()
    try await withMeeting(.init(mediaFlags: ["--public-media", "127.0.0.1:\(port)"])) { meeting in
      let installation = meeting.installation
      let thread = SocketThread(name: "relay")
      let relay = PacketRelay(
        to: try .ipc(installation.mediaPath("media")), in: installation.context, on: thread)
      let result: Result<Void, any Error>
      do {
        try await relay.open(at: Endpoint("tcp://127.0.0.1:\(port)"))
        try await MediaFigures.run(of: meeting) { try await join(meeting, relay, $0, body) }
        result = .success(())
      } catch {
        result = .failure(error)
      }
      await relay.close()
      thread.stop()
      thread.join()
      try result.get()
    }
  }

  private static func join(
    _ meeting: TestMeeting, _ relay: PacketRelay, _ figures: MediaFigures,
    _ body: (RelayedCall) async throws -> Void
  ) async throws {
    let ada = try await MediaParticipant(
      "ada", in: meeting, speaking: ToneSource(hertz: MediaParticipant.lowHertz))
    let bea = try await MediaParticipant("bea", in: meeting)
    for participant in [ada, bea] { try await participant.join() }
    let camera = TestPatternSource(width: 320, height: 180)
    camera.start()
    defer { camera.stop() }
    ada.audioVideo.startLocalVideo(source: camera)
    bea.audioVideo.startRemoteVideo()
    let tile = try await bea.tiles(1)[0]
    try await bea.sees(10, of: tile)
    try await bea.hears(low: true, high: false)
    try await body(RelayedCall(relay: relay, figures: figures, ada: ada, bea: bea, tile: tile))
    for participant in [ada, bea] { try await participant.leave() }
  }

  /// Impairs one direction until the relay has dropped `count` packets of a payload type.
  func lose(
    _ count: Int, of payloadType: UInt8, _ direction: PacketRelay.Direction,
    _ impairment: Impairment
  ) async throws {
    await relay.impair(direction, impairment)
    try await eventually("\(count) losses", within: .seconds(35)) {
      await relay.tally(direction, payloadType: payloadType).lost >= count
    }
    await relay.impair(direction, nil)
    try await figures.catchesUp(on: ada.attendeeID)
  }

  // MARK: Expectations

  /// Expects that the tone has no holes. The test tolerates up to 2 % of silence, because a busy
  /// machine may send or play too late.
  func expectNoHoles(since mark: Int) {
    let sounds = bea.sounds.entries.dropFirst(mark)
    let holes = sounds.count { $0.low < MediaParticipant.Sound.silent }
    #expect(holes * 50 <= sounds.count, "\(holes) of \(sounds.count)")
  }

  /// Returns the time that passed according to the clock of Bea's audio. This clock stops when the
  /// whole machine stalls.
  func heardTime(
    from start: ContinuousClock.Instant, to end: ContinuousClock.Instant
  ) -> Duration {
    .milliseconds(20) * bea.sounds.entries.count { $0.at > start && $0.at <= end }
  }

  /// Expects new frames within 900 ms after each loss or run of losses. The limit is three times
  /// the expected time.
  func expectPicturesGoOn(since mark: Int, _ direction: PacketRelay.Direction) async {
    let frames = Array(bea.shown.entries.dropFirst(mark))
    let numbers = frames.compactMap(\.number)
    #expect(numbers.count == frames.count)
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    let losses = await relay.tally(direction, payloadType: Self.vp8).losses
    let pauses = zip(frames, frames.dropFirst()).map { before, after in
      heardTime(from: losses.last { $0 > before.at && $0 < after.at } ?? before.at, to: after.at)
    }
    print("Pictures: the longest pause after a loss was \(pauses.max() ?? .zero).")
    #expect(pauses.allSatisfy { $0 <= .milliseconds(900) }, "\(pauses)")
    #expect(frames.last.map { $0.at >= losses.last ?? $0.at } == true)
  }
}
