import Bus
import TestSupport
import Trials
import Wire
import ZeroMQ

/// Substitutes for presence and video-tiles. The substitutes record media's requests, and the test
/// defines the answers.
actor ScriptedOwners {
  nonisolated let levels = AwaitableEntryList<V1.AttendeeLevel>()
  nonisolated let downlinks = AwaitableEntryList<V1.ReceiverDownlink>()
  nonisolated let tracks = AwaitableEntryList<V1.TrackState>()

  /// The meetings whose decisions media requested.
  nonisolated let watches = AwaitableEntryList<String>()
  private nonisolated let thread = SocketThread(name: "owners")
  private var context: ZMQContext?
  private var servers: [RequestServer] = []
  private var publishers: [String: EventPublisher] = [:]
  private var registrations: [String: any InstanceRegistration] = [:]
  private let decisions = ScriptedDecisions()
  private var heart: TimerID?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func open(in directory: String, _ registry: RuntimeDirectoryRegistry, _ context: ZMQContext)
    throws
  {
    self.context = context
    let presence = try serve("presence", in: directory, registry, context)
    presence.on(V1.PresenceMethods.reportLevels) { [levels] request, call in
      for level in request.levels { levels.append(level) }
      call.reply(V1.ReportLevelsReply())
    }
    let tiles = try serve("video-tiles", in: directory, registry, context)
    tiles.on(V1.VideoTilesMethods.reportDownlink) { [downlinks] request, call in
      for receiver in request.receivers { downlinks.append(receiver) }
      call.reply(V1.ReportDownlinkReply())
    }
    tiles.on(V1.VideoTilesMethods.reportTracks) { [tracks] request, call in
      for track in request.tracks { tracks.append(track) }
      call.reply(V1.ReportTracksReply())
    }
    tiles.on(V1.VideoTilesMethods.watchDecisions) { [decisions, watches] request, stream in
      decisions.begin(stream)
      watches.append(request.meetingID)
    }
    beat()
  }

  private func serve(
    _ service: String, in directory: String, _ registry: RuntimeDirectoryRegistry,
    _ context: ZMQContext
  ) throws -> RequestServer {
    try live(service, in: directory, registry, context)
    let server = try RequestServer(
      at: [.ipc("\(directory)/\(service)-a.rpc.sock")], in: context, on: thread)
    servers.append(server)
    return server
  }

  /// Registers a service in a new ownership term.
  private func live(
    _ service: String, in directory: String, _ registry: RuntimeDirectoryRegistry,
    _ context: ZMQContext
  ) throws {
    let base = "\(directory)/\(service)-a"
    let registration = try registry.register(
      InstanceAnnouncement(
        service: service, instance: "\(service)-a",
        endpoints: ["rpc": "ipc://\(base).rpc.sock", "events": "ipc://\(base).events.sock"]))
    registrations[service] = registration
    publishers[service] = try EventPublisher(
      at: .ipc("\(base).events.sock"), instance: "\(service)-a", term: registration.term,
      in: context, on: thread)
  }

  /// Restarts a service. The restarted service has forgotten all requests.
  func restart(_ service: String, in directory: String, _ registry: RuntimeDirectoryRegistry)
    throws
  {
    guard let context else { return }
    registrations[service]?.withdraw()
    publishers[service]?.close()
    try live(service, in: directory, registry, context)
  }

  private func beat() {
    for registration in registrations.values { try? registration.heartbeat() }
    heart = thread.schedule(after: .milliseconds(500)) { [unowned self] in beat() }
  }

  func close() {
    if let heart { thread.cancel(heart) }
    for registration in registrations.values { registration.withdraw() }
    for publisher in publishers.values { publisher.close() }
    for server in servers { server.close() }
    (registrations, publishers, servers) = ([:], [:], [])
    decisions.end()
    thread.stop()
  }

  // MARK: Decisions

  /// Returns Ada's camera, with layers of these SSRCs.
  static func camera(
    _ ssrcs: UInt32..., codec: V1.VideoCodec = .vp8, tile: UInt32 = 1, track: UInt32 = 9_001
  ) -> V1.VideoSource {
    V1.VideoSource(
      tileID: tile, attendee: Guest.ada.info, kind: .camera,
      layers: ssrcs.map {
        V1.VideoLayer(
          ssrc: $0, width: 640, height: 360, framesPerSecond: 30, bitsPerSecond: 500_000,
          codec: codec)
      }, trackSSRC: track)
  }

  /// Publishes a source of a guest.
  func publish(_ source: V1.VideoSource, by guest: Guest) {
    decisions.decide(
      V1.ForwardingUpdate(
        sources: [source],
        publishers: [V1.PublishingSession(tileID: source.tileID, sessionID: guest.session)]))
  }

  /// Sets the layers that a receiver gets, by tile; 0 for none.
  func forward(_ layers: [UInt32: UInt32], to guest: Guest) {
    decisions.decide(
      V1.ForwardingUpdate(
        receivers: [
          V1.ReceiverDecision(
            sessionID: guest.session, participantID: guest.id,
            forwardings: layers.map { tile, layer in
              V1.Forwarding(
                tileID: tile, layer: layer, reason: layer > 0 ? .wanted : .pausedByUser)
            })
        ]))
  }

  /// Sets whether each new stream loses its second update.
  func loseUpdates(_ loses: Bool) { decisions.losesUpdates = loses }

  func end(tile: UInt32) { decisions.decide(V1.ForwardingUpdate(endedTileIDs: [tile])) }
}

/// The decisions of video-tiles, and the streams that deliver them. Only the owners' thread uses
/// this object.
private final class ScriptedDecisions {
  private var streams: [ServerStream<V1.ForwardingUpdate>] = []
  private var lastSequence: UInt64 = 0
  private var decided = V1.ForwardingUpdate()
  var losesUpdates = false

  /// Sends an update, and keeps the update for later subscribers.
  func decide(_ update: V1.ForwardingUpdate) {
    let (tiles, sessions) = (update.sources.map(\.tileID), update.receivers.map(\.sessionID))
    decided.sources.removeAll {
      tiles.contains($0.tileID) || update.endedTileIDs.contains($0.tileID)
    }
    decided.publishers.removeAll {
      tiles.contains($0.tileID) || update.endedTileIDs.contains($0.tileID)
    }
    decided.receivers.removeAll { sessions.contains($0.sessionID) }
    decided.sources += update.sources
    decided.publishers += update.publishers
    decided.receivers += update.receivers
    lastSequence += 1
    var update = update
    update.sequence = lastSequence
    for stream in streams { stream.send(update) }
  }

  func begin(_ stream: ServerStream<V1.ForwardingUpdate>) {
    lastSequence = 1
    var all = decided
    (all.sequence, all.isComplete) = (1, true)
    streams = [stream]
    stream.send(all)
    guard losesUpdates else { return }
    lastSequence = 3
    stream.send(V1.ForwardingUpdate(sequence: lastSequence))
  }

  func end() { streams = [] }
}
