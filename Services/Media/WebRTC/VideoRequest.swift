import WebRTC

/// The video that a browser's session receives and sends.
struct VideoRequest: Hashable, Sendable {
  /// The tracks that it receives, each in a section of its own.
  var tracks: [VideoTrack] = []

  /// Media's sources of the layers that it sends, lowest bitrate first.
  var layers: [UInt32] = []
}
