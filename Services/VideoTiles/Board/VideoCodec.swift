/// How a video stream is encoded.
enum VideoCodec: Hashable, Sendable {
  /// RTP payload of RFC 7741.
  case vp8
  /// RTP payload of RFC 6184.
  case h264

  /// Temporal layers that one stream may have.
  var mostTemporalLayers: Int {
    switch self {
    case .vp8: 4
    case .h264: 1
    }
  }
}
