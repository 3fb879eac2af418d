/// The report on one receiver's link for `video-tiles`.
struct DownlinkReport: Hashable, Sendable {
  /// The estimated bandwidth available to video, in bit/s, after subtraction of audio.
  var bitsPerSecond: Int

  /// The bitrate of the video that `media` sent during the last second, in bit/s.
  var usedBitsPerSecond: Int

  /// The time that `media` needs to send the waiting packets at the estimated bitrate, in
  /// milliseconds.
  var backlogMs: Int

  /// Tiles that dropped frames during the last second because the link was full.
  var starvedTiles: [UInt32] = []

  /// Wanted tiles for which `media` has sent no frame for two seconds, although the publisher sends
  /// frames.
  var stalledTiles: [UInt32] = []
}
