import Bus
import MeetingModel
import TestSupport
import Trials
import Wire
import ZeroMQ

/// A replacement for `media` that is connected to the real video-tiles. A test uses this
/// replacement to report the states of links and tracks, and to read the forwarding decisions.
actor PlayedMedia {
  /// All items of `WatchDecisions`. If the stream ends because the connection is lost, this type
  /// opens a new stream. Each new stream begins with a complete item.
  nonisolated let updates = AwaitableEntryList<V1.ForwardingUpdate>()

  private nonisolated let thread = SocketThread(name: "played-media")
  private let meetingID: String
  private var channel: RequestChannel?
  private var presence: RequestChannel?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private init(of meetingID: String) { self.meetingID = meetingID }

  /// Replaces media in a meeting while `body` runs.
  static func play(
    in meeting: TestMeeting, _ body: (PlayedMedia) async throws -> Void
  ) async throws {
    try await meeting.installation.media.kill()  // Only `PlayedMedia` may send reports.
    let media = PlayedMedia(of: meeting.record.meetingID)
    let installation = meeting.installation
    let path = "\(installation.directory)/run/video-tiles-a.rpc.sock"
    try await media.open(
      .ipc(path), presence: .ipc(installation.presencePath("rpc")), in: installation.context)
    do {
      try await body(media)
      await media.close()
    } catch {
      await media.close()
      throw error
    }
  }

  private func open(_ endpoint: Endpoint, presence: Endpoint, in context: ZMQContext) throws {
    self.presence = try RequestChannel(to: presence, in: context, on: thread)
    channel = try RequestChannel(to: endpoint, in: context, on: thread)
    watch()
  }

  private func close() {
    channel?.close()
    presence?.close()
    (channel, presence) = (nil, nil)
    thread.stop()
  }

  private func watch() {
    channel?.open(
      V1.VideoTilesMethods.watchDecisions, V1.WatchDecisionsRequest(meetingID: meetingID), .init(),
      onItem: { [updates] in updates.append($0) },
      onEnd: { [unowned self] status in
        // Open the stream again after its loss.
        if status?.code == .unavailable { assumeIsolated { $0.watch() } }
      })
  }

  // MARK: Reports

  /// Reports the current bitrate of a receiver's link, in kbit/s.
  func reportDownlink(_ kilobits: UInt32, of receiver: String) async throws {
    let sessions = Self.receivers(updates.entries).filter { $0.value.participantID == receiver }
    try await call(
      V1.VideoTilesMethods.reportDownlink,
      V1.ReportDownlinkRequest(
        meetingID: meetingID,
        receivers: sessions.keys.map {
          V1.ReceiverDownlink(sessionID: $0, bitsPerSecond: kilobits * 1_000)
        }))
  }

  /// Reports whether the packets of a source's layer currently arrive.
  func reportTrack(_ tile: UInt32, layer: UInt32, isFlowing: Bool) async throws {
    try await call(
      V1.VideoTilesMethods.reportTracks,
      V1.ReportTracksRequest(
        meetingID: meetingID,
        tracks: [V1.TrackState(tileID: tile, layer: layer, isFlowing: isFlowing)]))
  }

  /// Reports the current volume of an attendee.
  func reportLevel(_ level: V1.VolumeLevel, of attendee: String) async throws {
    _ = try await presence?.call(
      V1.PresenceMethods.reportLevels,
      V1.ReportLevelsRequest(
        meetingID: meetingID, levels: [V1.AttendeeLevel(participantID: attendee, volume: level)]),
      CallOptions())
  }

  private func call<Request, Reply: Sendable>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request
  ) async throws {
    _ = try await channel?.call(method, request, CallOptions())
  }

  // MARK: Decisions

  /// Waits until a receiver has these decisions about these sources. A decision is a layer, or the
  /// reason why the server forwards no layer.
  nonisolated func sees(
    _ expected: [Decision], of tiles: [UInt32], to receiver: String,
    within limit: Duration = .seconds(15)
  ) async throws {
    try await updates.wait(for: "\(expected) of \(tiles) to \(receiver)", within: limit) {
      Self.decisions($0, of: tiles, to: receiver) == expected
    }
  }

  /// Returns the current decisions about these sources for a receiver.
  nonisolated func decisions(of tiles: [UInt32], to receiver: String) -> [Decision] {
    Self.decisions(updates.entries, of: tiles, to: receiver)
  }

  enum Decision: Hashable, Sendable {
    case layer(UInt32, V1.ForwardingReason)
    case nothing(V1.ForwardingReason)
    /// There is no decision about the source.
    case unknown
  }

  private static func decisions(
    _ updates: [V1.ForwardingUpdate], of tiles: [UInt32], to receiver: String
  ) -> [Decision] {
    let decision = receivers(updates).values.first { $0.participantID == receiver }
    return tiles.map { tile in
      guard let found = decision?.forwardings.first(where: { $0.tileID == tile }) else {
        return .unknown
      }
      return found.layer > 0 ? .layer(found.layer, found.reason) : .nothing(found.reason)
    }
  }

  private static func receivers(
    _ updates: [V1.ForwardingUpdate]
  ) -> [[UInt8]: V1.ReceiverDecision] {
    updates.reduce(into: [:]) { receivers, update in
      if update.isComplete { receivers = [:] }
      for session in update.endedSessionIDs { receivers[session] = nil }
      for receiver in update.receivers { receivers[receiver.sessionID] = receiver }
    }
  }
}
