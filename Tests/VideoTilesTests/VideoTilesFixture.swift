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

/// A video-tiles instance in a new directory. The fixture starts the instance, passes itself to the
/// test, and stops the instance.
struct VideoTilesFixture {
  let directory: String
  let metrics = MetricsRegistry()
  var rules = VideoTilesRules()

  var registry: RuntimeDirectoryRegistry { RuntimeDirectoryRegistry(runtimeDirectory: directory) }

  private var requests: String { directory + "/video-tiles-a.rpc.sock" }
  private var events: String { directory + "/video-tiles-a.events.sock" }

  /// Runs video-tiles while `body` runs.
  func running<Result: Sendable>(
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    // The gateways of these tests rarely send heartbeats, and a busy machine delays heartbeats. So
    // video-tiles must wait long before video-tiles treats a gateway as dead.
    var rules = rules
    rules.timing.gatewaySilence = .seconds(60)
    let tiles = VideoTilesService(
      VideoTilesConfiguration(
        instance: "video-tiles-a", requests: try .ipc(requests), events: try .ipc(events),
        rules: rules, replayEvents: 16),
      registry: registry, in: try ZMQContext(), on: SocketThread(name: "video-tiles"),
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

  /// Runs `body` with a gateway that calls this instance.
  ///
  /// - Parameter announces: Whether the gateway first announces that it has no sessions, as a real
  ///   gateway does.
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

  /// Runs `body` with the part of media that this instance uses.
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

  /// Registers a gateway as live.
  func announceLife(of gateway: String) throws -> any InstanceRegistration {
    try registry.register(
      InstanceAnnouncement(service: "gateway", instance: gateway, endpoints: [:]))
  }
}

/// Runs video-tiles in a new directory.
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
  /// Returns a camera with layers of these bitrates, in kbit/s. The sizes are 320 x 180, 640 x 360
  /// and 1280 x 720, in this order.
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
  /// Makes a session in the planning meeting. The session watches everything and publishes the
  /// given sources.
  init(_ person: Person, _ device: UInt8 = 0, publishing published: [V1.PublishedVideo] = []) {
    self.init(
      meetingID: MeetingID.planning.text, participantID: person.participant.text,
      externalUserID: person.identity.externalUserID.text, sessionID: person.session(device).bytes,
      choices: V1.VideoChoices(published: published, isReceiving: true))
  }
}
