/// What one receiver's link carries, as video-tiles is told.
struct DownlinkReport: Hashable, Sendable {
  /// The estimate.
  var bitsPerSecond: Int

  /// Video that was sent over the last second.
  var usedBitsPerSecond: Int

  /// How long the waiting packets would take at the estimate.
  var backlogMs: Int
}
