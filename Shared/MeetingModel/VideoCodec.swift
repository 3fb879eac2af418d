/// The codec of a video stream.
public enum VideoCodec: CaseIterable, Hashable, Sendable {
  /// VP8, with the RTP payload of RFC 7741.
  case vp8
  /// H.264, with the RTP payload of RFC 6184, packetization mode 0 or 1.
  case h264
  /// VP9 in profile 0, with the RTP payload of RFC 9628.
  case vp9
  /// AV1 in the main profile, with the RTP payload of AOMedia.
  case av1
}
