/// What a client chose about video, as it declares on every start.
struct VideoChoices: Hashable, Sendable {
  /// What it publishes; one of each kind at most.
  var published: [SourceDeclaration] = []

  var subscriptions: Subscriptions = .automatic

  /// Tiles that its user paused; those that it does not have mean nothing.
  var pausedTiles: Set<TileID> = []

  /// Whether remote video is on.
  var isReceiving = false
}
