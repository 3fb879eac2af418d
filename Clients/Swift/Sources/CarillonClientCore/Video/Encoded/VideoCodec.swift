/// The codecs of the remote videos that a session receives. Carillon adds this type to the
/// interface of the meetings SDK for iOS.
public enum VideoCodec: String, CaseNamed {
  /// VP8 (RFC 6386). The session decodes VP8.
  case vp8 = "VP8"
  /// H.264 (ITU-T H.264). The session does not decode H.264; an ``EncodedVideoSink`` receives the
  /// encoded frames.
  case h264 = "H264"
}
