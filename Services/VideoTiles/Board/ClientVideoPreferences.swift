/// A client's choices about video. The client declares these choices in every Start.
struct ClientVideoPreferences: Hashable, Sendable {
  /// The sources that the client publishes, at most one of each kind.
  var published: [SourceDeclaration] = []

  var subscriptions: ReceiverVideoSubscriptions = .automatic

  /// The tiles that the client's user paused. The board ignores unknown tiles.
  var pausedTiles: Set<TileID> = []

  /// Whether remote video is on.
  var isReceiving = false

  /// The codecs that the client decodes.
  var decodableCodecs = VideoCodecSet.undeclared
}
