import Bus
public import MeetingModel
import TestSupport
public import Trials
public import Wire

/// The part of a scripted gateway that answers requests about video.
///
/// Use this object only on the gateway's thread.
public final class ScriptedVideo {
  /// A request about video.
  public enum Asked: Hashable, Sendable {
    case publish(V1.PublishedVideo)
    case unpublish(V1.VideoSourceKind)
    case receive(Bool)
    case subscribe(V1.UpdateVideoSubscriptionsRequest)
    case pause(UInt32, Bool)
  }

  public let asked = AwaitableEntryList<Asked>()

  /// The ids of the sessions that published, in order.
  public let publishers = AwaitableEntryList<[UInt8]>()

  /// Returns the answer to a publisher. By default, the answer is the publisher's video with the
  /// tile id 9, the track SSRC 900 and layer SSRCs from 901 on.
  public var onPublish: (V1.PublishedVideo) -> Result<V1.PublishedVideo, Status> = { video in
    var video = video
    if video.tileID == 0 { (video.tileID, video.trackSSRC) = (9, 900) }
    for index in video.layers.indices { video.layers[index].ssrc = 901 + UInt32(index) }
    return .success(video)
  }

  /// Returns the error of any other request; `nil` for success.
  public var onCall: (Asked) -> Status? = { _ in nil }

  /// Returns the state of a tile after a pause or a resume.
  public var onPause: (UInt32, Bool) -> V1.TileState = { tile, isPaused in
    .bob(tile, isPaused ? .pausedByUserRequest : .unpaused)
  }

  func serve(on server: RequestServer) {
    server.on(V1.AudioVideoFacadeMethods.publishVideo) { [unowned self] request, call in
      let video = request.video ?? .init()
      switch onPublish(video) {
      case .success(let video): call.reply(.init(video: video))
      case .failure(let status): call.fail(status)
      }
      publishers.append(call.header.sessionID)
      asked.append(.publish(video))
    }
    server.on(V1.AudioVideoFacadeMethods.unpublishVideo) { [unowned self] request, call in
      answer(.unpublish(request.kind), call, .init())
    }
    server.on(V1.AudioVideoFacadeMethods.setRemoteVideo) { [unowned self] request, call in
      answer(.receive(request.isReceiving), call, .init())
    }
    server.on(V1.AudioVideoFacadeMethods.updateVideoSubscriptions) {
      [unowned self] request, call in
      answer(.subscribe(request), call, .init())
    }
    server.on(V1.AudioVideoFacadeMethods.setTilePaused) { [unowned self] request, call in
      answer(
        .pause(request.tileID, request.isPaused), call,
        .init(tile: onPause(request.tileID, request.isPaused)))
    }
  }

  private func answer<Reply>(_ asked: Asked, _ call: Call<Reply>, _ reply: Reply) {
    if let status = onCall(asked) { call.fail(status) } else { call.reply(reply) }
    self.asked.append(asked)
  }

  /// Waits for `count` requests, and returns all requests so far.
  public func asked(_ count: Int) async throws -> [Asked] {
    try await asked.wait(for: "\(count) calls") { $0.count >= count }
  }
}

extension V1.TileState {
  /// Returns a tile of bob with this id and state.
  public static func bob(_ tile: UInt32, _ state: V1.TilePauseState = .unpaused) -> V1.TileState {
    V1.TileState(tileID: tile, participantID: "bob", pauseState: state, layer: 1)
  }

  public static func removed(_ tile: UInt32, of participant: String = "bob") -> V1.TileState {
    V1.TileState(tileID: tile, participantID: participant, isRemoved: true)
  }
}

extension V1.VideoSource {
  public static func of(_ participant: String, _ tile: UInt32) -> V1.VideoSource {
    V1.VideoSource(
      tileID: tile, attendee: .init(attendeeID: participant, externalUserID: participant),
      kind: participant.hasSuffix("#content") ? .content : .camera,
      layers: [.init(ssrc: tile * 100, width: 640, height: 360, bitsPerSecond: 500_000)],
      trackSSRC: tile * 1000)
  }
}

extension V1.TileBoardSnapshot {
  /// Returns the snapshot that a gateway sends to ada.
  public static func board(
    _ sources: V1.VideoSource..., tiles: [V1.TileState] = [], epoch: UInt64 = 1,
    sequence: UInt64 = 1, status: V1.SessionStatusCode = .ok, isAvailable: Bool = true
  ) -> V1.TileBoardSnapshot {
    V1.TileBoardSnapshot(
      meetingID: "m", epoch: epoch, sequence: sequence, sources: sources,
      receivers: [
        .init(
          participantID: "ada", tiles: tiles,
          camera: .init(status: status, isAvailable: isAvailable))
      ])
  }
}
