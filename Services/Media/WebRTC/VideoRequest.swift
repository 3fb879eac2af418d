import WebRTC

/// The pictures that a browser's session gets and sends.
struct VideoRequest: Hashable, Sendable {
  /// What it gets, each in a section of its own.
  var tracks: [VideoTrack] = []

  /// Media's sources of what it sends, lowest bitrate first.
  var layers: [UInt32] = []
}
