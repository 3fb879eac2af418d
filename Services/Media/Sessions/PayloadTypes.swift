/// The payload types of all sessions, in both directions.
enum PayloadTypes {
  static let opus: UInt8 = 111
  static let vp8: UInt8 = 96
  static let h264: UInt8 = 97

  /// The identifier of the audio level among header extensions (RFC 6464).
  static let audioLevelExtension: UInt8 = 1
}
