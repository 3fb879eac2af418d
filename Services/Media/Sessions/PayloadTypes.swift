import Wire

/// The payload types of all sessions, in both directions.
enum PayloadTypes {
  static let opus: UInt8 = 111
  static let vp8: UInt8 = 96
  static let h264: UInt8 = 97

  /// Of the audio level in header extensions (RFC 6464).
  static let audioLevelExtension: UInt8 = 1

  /// As clients are told.
  static let wire = [
    V1.RtpPayload(payloadType: UInt32(opus), encoding: "opus", clockRate: 48_000),
    V1.RtpPayload(payloadType: UInt32(vp8), encoding: "VP8", clockRate: 90_000),
    V1.RtpPayload(payloadType: UInt32(h264), encoding: "H264", clockRate: 90_000),
  ]
}
