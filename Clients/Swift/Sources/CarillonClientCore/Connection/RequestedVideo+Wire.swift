internal import MeetingModel
internal import Wire

/// The tile id and the SSRCs that the meeting assigned to a published video.
///
/// After a lost connection, the client requests the same values again.
struct AssignedVideoIDs: Hashable, Sendable {
  var tile: UInt32 = 0
  var track: UInt32 = 0
  var layers: [UInt32] = []
}

extension AssignedVideoIDs {
  init(_ video: V1.PublishedVideo) {
    self.init(tile: video.tileID, track: video.trackSSRC, layers: video.layers.map(\.ssrc))
  }
}

extension RequestedVideo {
  /// The codecs that the client can receive. The client decodes VP8, and passes encoded H.264
  /// frames to the application's sinks.
  static let decodableCodecs: [V1.VideoCodec] = [.vp8, .h264]

  /// Returns the choices that the `Start` request declares after a lost connection.
  func choices(_ numbers: AssignedVideoIDs) -> V1.VideoChoices {
    V1.VideoChoices(
      published: published.map { [V1.PublishedVideo($0, numbers)] } ?? [],
      subscriptions: subscriptions.map {
        V1.VideoSubscriptions(subscriptions: V1.VideoSubscription.list($0))
      },
      pausedTileIDs: pausedTiles.compactMap { UInt32(exactly: $0) }, isReceiving: isReceiving,
      canDecode: Self.decodableCodecs)
  }
}

extension V1.PublishedVideo {
  init(_ declaration: VideoDeclaration, _ numbers: AssignedVideoIDs) {
    let layers = declaration.layers.enumerated().map { rank, layer in
      V1.VideoLayer(
        ssrc: numbers.layers.indices.contains(rank) ? numbers.layers[rank] : 0,
        width: UInt32(clamping: layer.width), height: UInt32(clamping: layer.height),
        framesPerSecond: UInt32(clamping: layer.framesPerSecond),
        bitsPerSecond: UInt32(clamping: layer.bitsPerSecond), codec: .vp8)
    }
    self.init(
      kind: V1.VideoSourceKind(declaration.kind), layers: layers, tileID: numbers.tile,
      trackSSRC: numbers.track, hint: V1.VideoContentHint(declaration.hint))
  }
}

extension V1.VideoContentHint {
  fileprivate init(_ hint: VideoContentHint) {
    self = hint.inModel(as: MeetingModel.VideoContentHint.self).map { .init($0) } ?? .unspecified
  }
}

extension V1.VideoSubscription {
  /// Returns the subscriptions, in order of the attendees' ids.
  static func list(_ demands: [String: RemoteVideoRequest]) -> [V1.VideoSubscription] {
    demands.sorted { $0.key < $1.key }.map { id, demand in
      V1.VideoSubscription(
        participantID: id, priority: V1.VideoPriority(demand.priority),
        targetWidth: UInt32(clamping: demand.width),
        targetHeight: UInt32(clamping: demand.height))
    }
  }
}

extension V1.VideoPriority {
  fileprivate init(_ priority: VideoPriority) {
    self = priority.inModel(as: MeetingModel.VideoPriority.self).map { .init($0) } ?? .unspecified
  }
}
