/// How a video stream is encoded.
public enum VideoCodec: CaseIterable, Hashable, Sendable {
  /// RTP payload of RFC 7741.
  case vp8
  /// RTP payload of RFC 6184, packetization mode 0 or 1.
  case h264
}
