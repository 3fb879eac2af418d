/// What one receiver's link carries, as video-tiles is told.
struct DownlinkReport: Hashable, Sendable {
  /// The estimate for video: what its audio takes is off.
  var bitsPerSecond: Int

  /// Video that was sent over the last second.
  var usedBitsPerSecond: Int

  /// How long the waiting packets would take at the estimate.
  var backlogMs: Int

  /// Tiles of which frames were left out within the last second, because there was no room.
  var starvedTiles: [UInt32] = []

  /// Tiles of which no frame has left for two seconds, though it is wanted and comes.
  var stalledTiles: [UInt32] = []
}
