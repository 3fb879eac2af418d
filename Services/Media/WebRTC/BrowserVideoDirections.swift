import WebRTC

/// The video that a browser's session receives and sends.
struct BrowserVideoDirections: Hashable, Sendable {
  /// The tracks that the session receives, each in its own section.
  var tracks: [VideoTrack] = []

  /// The sources that `media` uses for the layers that the session sends, lowest bitrate first.
  var layers: [UInt32] = []
}
