import Bus
import Logging
import MeetingModel
import OwnerTestSupport
import Ownership
import ServiceHost
import TestSupport
import Wire
import ZeroMQ

@testable import VideoTiles

/// A video-tiles instance of its own in a fresh directory, started, handed over and stopped.
struct VideoTilesFixture {
  let directory: String
  let metrics = MetricsRegistry()
  var rules = VideoTilesRules()

  var registry: RuntimeDirectoryRegistry { RuntimeDirectoryRegistry(runtimeDirectory: directory) }

  private var requests: String { directory + "/video-tiles-a.rpc.sock" }
  private var events: String { directory + "/video-tiles-a.events.sock" }

  /// Runs video-tiles for as long as `body` takes.
  func running<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    // The tests' gateways say seldom that they live, and a busy machine is slow.
    var rules = rules
    rules.timing.gatewaySilence = .seconds(60)
    let tiles = VideoTilesService(
      VideoTilesConfiguration(
        instance: "video-tiles-a", requests: try .ipc(requests), events: try .ipc(events),
        rules: rules, replayEvents: 16),
      registry: registry, in: try Context(), on: SocketThread(name: "video-tiles"),
      metrics: metrics, logger: Logger(label: "video-tiles") { _ in SwiftLogNoOpLogHandler() })
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await tiles.run() }
      let result: Result
      do {
        result = try await body()
      } catch {
        group.cancelAll()
        throw error
      }
      group.cancelAll()
      try await group.waitForAll()
      return result
    }
  }

  /// A gateway that calls this instance, for as long as `body` takes.
  ///
  /// - Parameter announces: Whether it begins with saying that it has no sessions, as gateways do.
  @discardableResult
  func withGateway<Result: Sendable>(
    _ name: String = "gateway-a", announces: Bool = true,
    _ body: (TestGateway) async throws -> Result
  ) async throws -> Result {
    let gateway = TestGateway(name: name, following: .tiles)
    try await gateway.open(requests: try .ipc(requests), events: try .ipc(events))
    do {
      if announces { _ = try await gateway.announce([]) }
      let result = try await body(gateway)
      await gateway.close()
      return result
    } catch {
      await gateway.close()
      throw error
    }
  }

  /// What of media this instance sees, for as long as `body` takes.
  @discardableResult
  func withMedia<Result: Sendable>(
    _ body: (TestMedia) async throws -> Result
  ) async throws -> Result {
    let media = TestMedia()
    try await media.open(requests: try .ipc(requests))
    do {
      let result = try await body(media)
      await media.close()
      return result
    } catch {
      await media.close()
      throw error
    }
  }

  /// Says that a gateway lives, as its registration does.
  func announceLife(of gateway: String) throws -> any Registration {
    try registry.register(
      InstanceAnnouncement(service: "gateway", instance: gateway, endpoints: [:]))
  }
}

/// Runs video-tiles in a fresh directory.
func withVideoTiles<Result: Sendable>(
  _ rules: VideoTilesRules = VideoTilesRules(),
  _ body: @Sendable (VideoTilesFixture) async throws -> Result
) async throws -> Result {
  try await withTemporaryDirectory { directory in
    let fixture = VideoTilesFixture(directory: directory, rules: rules)
    return try await fixture.running { try await body(fixture) }
  }
}

extension V1.PublishedVideo {
  /// A camera with layers of these kbit/s: 320 x 180, 640 x 360 and 1280 x 720 as far as there are.
  static func camera(_ kilobits: UInt32..., tile: UInt32 = 0, track: UInt32 = 0) -> Self {
    let layers = kilobits.enumerated().map { index, rate in
      let scale: UInt32 = 1 << UInt32(kilobits.count == 1 ? 2 : index)
      return V1.VideoLayer(
        width: 320 * scale, height: 180 * scale, framesPerSecond: 15, bitsPerSecond: rate * 1_000,
        codec: .vp8)
    }
    return V1.PublishedVideo(kind: .camera, layers: layers, tileID: tile, trackSSRC: track)
  }

  static let content = V1.PublishedVideo(
    kind: .content,
    layers: [
      V1.VideoLayer(
        width: 1_920, height: 1_080, framesPerSecond: 15, bitsPerSecond: 1_000_000, codec: .h264)
    ], hint: .text)
}

extension V1.TileSession {
  /// A session of the planning meeting that watches everything and publishes this.
  init(_ person: Person, _ device: UInt8 = 0, publishing published: [V1.PublishedVideo] = []) {
    self.init(
      meetingID: MeetingID.planning.text, participantID: person.participant.text,
      externalUserID: person.identity.externalUserID.text, sessionID: person.session(device).bytes,
      choices: V1.VideoChoices(published: published, isReceiving: true))
  }
}
