import AdaptiveTrials
import CarillonClient
import TestSupport
import Testing
import Trials
import ZeroMQ

/// A meeting with five publishers and two receivers, Ben and Cleo. Ben's link has no limit. A test
/// can limit the link of Cleo, who has pinned the first publisher.
struct NarrowLinkMeeting: Sendable {
  let ben: MediaParticipant
  let cleo: MediaParticipant

  /// The tile ids in the order of the publishers: the pinned tile with three simulcast layers,
  /// another tile with three layers, and three tiles with one layer.
  let tiles: [Int]
  private let relay: PacketRelay
  private let link: [UInt8]

  /// The width of the largest layer of the first two tiles, in pixels.
  static let topWidth = 640
  /// The maximum bitrate of each of the two cameras, and the bitrate of each replay, in kbit/s.
  private static let cameraKilobits: UInt32 = 1_000
  private static let replayKilobits: UInt32 = 700

  /// Runs `body` when both receivers show every publisher in full size.
  static func run(_ body: (NarrowLinkMeeting) async throws -> Void) async throws {
    let port = try PortRange.freePort()
    try await withMeeting(.init(mediaFlags: ["--public-media", "127.0.0.1:\(port)"])) { meeting in
      let thread = SocketThread(name: "relay")
      let relay = PacketRelay(
        to: try .ipc(meeting.installation.mediaPath("media")), in: meeting.installation.context,
        on: thread)
      let result: Result<Void, any Error>
      do {
        try await relay.open(at: Endpoint("tcp://127.0.0.1:\(port)"))
        result = .success(try await join(meeting, relay, body))
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
    _ meeting: TestMeeting, _ relay: PacketRelay,
    _ body: (NarrowLinkMeeting) async throws -> Void
  ) async throws {
    var participants: [MediaParticipant] = []
    for name in ["p1", "p2", "p3", "p4", "p5", "ben"] {
      participants.append(try await MediaParticipant(name, in: meeting))
      try await participants.last?.join()
    }
    try await eventually("six connections") { await relay.clients.count == 6 }
    let others = await relay.clients
    let cleo = try await MediaParticipant("cleo", in: meeting)
    try await cleo.join()
    try await eventually("Cleo's connection") { await relay.clients.count == 7 }
    let link = try #require(await relay.clients.subtracting(others).first)
    let ben = participants[5]
    let sources = try sources()
    for source in sources { source.start() }
    defer { for source in sources { source.stop() } }
    for viewer in [ben, cleo] { viewer.audioVideo.startRemoteVideo() }
    var tiles: [Int] = []
    for (publisher, source) in zip(participants, sources) {
      publisher.audioVideo.startLocalVideo(source: source.video, config: source.configuration)
      tiles = try await cleo.tiles(tiles.count + 1)
    }
    cleo.pin(participants[0], before: participants[1...4])
    for viewer in [ben, cleo] {
      for tile in tiles { try await viewer.sees(5, of: tile) }
      for tile in tiles[0...1] { try await viewer.sees(tile, at: topWidth, since: 0) }
    }
    try await body(
      NarrowLinkMeeting(ben: ben, cleo: cleo, tiles: tiles, relay: relay, link: link))
    for participant in participants + [cleo] { try await participant.leave() }
  }

  /// Limits Cleo's link; `nil` removes the limit.
  func limit(to bitsPerSecond: Int?) async {
    await relay.limitDownlink(
      of: link, to: bitsPerSecond.map { LinkLimit(bitsPerSecond: $0) })
  }

  // MARK: Cameras

  /// A camera of a publisher.
  private struct Source {
    let video: any VideoSource
    let configuration: LocalVideoConfiguration
    let start: () -> Void
    let stop: () -> Void
  }

  private static func sources() throws -> [Source] {
    // The noise is weak: with strong noise, a publisher would send smaller pictures in its largest
    // layer on any link.
    let pictures = NoisyPictures(width: topWidth, height: 360, count: 8, strength: .weak)
    let cameras = (0..<2).map { _ in
      let camera = NoisyCamera(pictures)
      return Source(
        video: camera, configuration: LocalVideoConfiguration(maxBitRateKbps: cameraKilobits),
        start: camera.start, stop: camera.stop)
    }
    let small = NoisyPictures(width: 320, height: 180, count: 8)
    let recording = try VideoRecording(
      320, 180, framesPerSecond: 15, seconds: 2, bitsPerSecond: Int(replayKilobits) * 950,
      of: small.picture)
    let replays = (0..<3).map { index in
      let replay = VideoReplay(of: recording, from: 10 * index)
      return Source(
        video: replay,
        configuration: LocalVideoConfiguration(
          maxBitRateKbps: replayKilobits, simulcastEnabled: false),
        start: replay.start, stop: replay.stop)
    }
    return cameras + replays
  }
}

extension MediaParticipant {
  /// Gives one video the highest priority, and the other videos the lowest priority.
  func pin(_ pinned: MediaParticipant, before others: ArraySlice<MediaParticipant>) {
    let wishes = [(pinned, VideoPriority.highest)] + others.map { ($0, .lowest) }
    var subscriptions: [RemoteVideoSource: VideoSubscriptionConfiguration] = [:]
    for (participant, priority) in wishes {
      let source = RemoteVideoSource()
      source.attendeeId = participant.attendeeID
      let configuration = VideoSubscriptionConfiguration()
      configuration.priority = priority
      subscriptions[source] = configuration
    }
    audioVideo.updateVideoSourceSubscriptions(addedOrUpdated: subscriptions, removed: [])
  }

  /// Waits for a frame that belongs to a tile and has this width.
  func sees(
    _ tile: Int, at width: Int, since mark: Int, within limit: Duration = .seconds(15)
  ) async throws {
    try await shown.wait(for: "\(name) to see tile \(tile) at \(width)", within: limit) {
      $0.dropFirst(mark).contains { $0.tile == tile && $0.width == width }
    }
  }
}
