/// How the payload of a video stream is packed.
public enum VideoCodec: Hashable, Sendable {
  /// RFC 7741.
  case vp8

  /// RFC 6184, packetization mode 0 or 1.
  case h264
}
