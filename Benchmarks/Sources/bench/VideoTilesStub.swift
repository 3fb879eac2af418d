import Bus
import MeetingModel
import TestSupport
import Wire
import ZeroMQ

/// A stand-in for video-tiles with a fixed decision: in each meeting the first participants show
/// their cameras, and everyone else receives all cameras, regardless of media's reports about
/// links.
actor VideoTilesStub {
  /// The SSRC of the first camera's layer in the packets that the publisher sends. `Peers/crowd`
  /// uses this SSRC. The other cameras have the following SSRCs.
  static let layer: UInt32 = 5_001

  /// The SSRC of the first camera in the packets that receivers get. The other cameras have the
  /// following SSRCs.
  static let track: UInt32 = 9_001

  private nonisolated let thread = SocketThread(name: "tiles")
  private var context: ZMQContext?
  private var server: RequestServer?
  private var publisher: EventPublisher?
  private var registration: (any InstanceRegistration)?
  private let followers = DecisionSubscribers()
  private var heart: TimerID?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Sends the decisions for the sessions of `media` while `body` runs.
  ///
  /// - Parameter cameras: The number of cameras in each meeting.
  static func decide<Result: Sendable>(
    for sessions: [MediaProcess.Session], cameras: Int = 1, in directory: String,
    _ body: () async throws -> Result
  ) async throws -> Result {
    let tiles = VideoTilesStub()
    do {
      let updates = Dictionary(grouping: sessions, by: \.meeting.text)
        .mapValues { update($0, cameras) }
      try await tiles.open(updates, in: "\(directory)/run")
      await leaveActors()
      let result = try await body()
      await tiles.close()
      return result
    } catch {
      await tiles.close()
      throw error
    }
  }

  /// - Parameter updates: The decisions by meeting.
  private func open(_ updates: [String: V1.ForwardingUpdate], in directory: String) throws {
    let context = try ZMQContext()
    self.context = context
    let base = "\(directory)/video-tiles-a"
    let registration = try RuntimeDirectoryRegistry(runtimeDirectory: directory).register(
      InstanceAnnouncement(
        service: "video-tiles", instance: "video-tiles-a",
        endpoints: ["rpc": "ipc://\(base).rpc.sock", "events": "ipc://\(base).events.sock"]))
    self.registration = registration
    publisher = try EventPublisher(
      at: .ipc("\(base).events.sock"), instance: "video-tiles-a", term: registration.term,
      in: context, on: thread)
    let server = try RequestServer(at: [.ipc("\(base).rpc.sock")], in: context, on: thread)
    server.on(V1.VideoTilesMethods.reportDownlink) { _, call in
      call.reply(V1.ReportDownlinkReply())
    }
    server.on(V1.VideoTilesMethods.reportTracks) { _, call in call.reply(V1.ReportTracksReply()) }
    server.on(V1.VideoTilesMethods.watchDecisions) { [followers] request, stream in
      followers.streams.append(stream)
      stream.send(
        updates[request.meetingID] ?? V1.ForwardingUpdate(sequence: 1, isComplete: true))
    }
    self.server = server
    beat()
  }

  private func beat() {
    try? registration?.heartbeat()
    heart = thread.schedule(after: .milliseconds(500)) { [unowned self] in
      assumeIsolated { $0.beat() }
    }
  }

  private func close() {
    if let heart { thread.cancel(heart) }
    heart = nil
    registration?.withdraw()
    publisher?.close()
    server?.close()
    (registration, publisher, server) = (nil, nil, nil)
    followers.streams = []
    thread.stop()
  }

  /// Returns the decision of a meeting. Each camera has one layer.
  private static func update(
    _ sessions: [MediaProcess.Session], _ cameras: Int
  ) -> V1.ForwardingUpdate {
    let tiles = Array(0..<UInt32(cameras))
    let sources = zip(tiles, sessions).map(source)
    let receivers = sessions.dropFirst(cameras).map {
      V1.ReceiverDecision(
        sessionID: $0.id, participantID: $0.participant,
        forwardings: tiles.map { V1.Forwarding(tileID: $0 + 1, layer: 1, reason: .wanted) })
    }
    return V1.ForwardingUpdate(
      sequence: 1, isComplete: true, sources: sources, receivers: receivers,
      publishers: zip(tiles, sessions).map {
        V1.PublishingSession(tileID: $0 + 1, sessionID: $1.id)
      })
  }

  private static func source(of number: UInt32, _ session: MediaProcess.Session) -> V1.VideoSource {
    V1.VideoSource(
      tileID: number + 1,
      attendee: V1.AttendeeInfo(attendeeID: session.participant, externalUserID: "somebody"),
      kind: .camera,
      layers: [
        V1.VideoLayer(
          ssrc: layer + number, width: 640, height: 360, framesPerSecond: 30,
          bitsPerSecond: 1_500_000, codec: .vp8)
      ], trackSSRC: track + number)
  }
}

/// The subscribers of the decisions. Confined to the thread of ``VideoTilesStub``.
private final class DecisionSubscribers {
  var streams: [ServerStream<V1.ForwardingUpdate>] = []
}
