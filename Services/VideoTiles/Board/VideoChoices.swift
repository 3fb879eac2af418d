/// A client's video choices, declared on every start.
struct VideoChoices: Hashable, Sendable {
  /// The sources that it publishes, at most one of each kind.
  var published: [SourceDeclaration] = []

  var subscriptions: Subscriptions = .automatic

  /// The tiles that its user paused; unknown tiles are ignored.
  var pausedTiles: Set<TileID> = []

  /// Whether remote video is on.
  var isReceiving = false
}
