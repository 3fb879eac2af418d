/// The payload types that `MediaFormat` announces to ZeroMQ clients, as in the contract.
enum PayloadTypes {
  static let opus: UInt8 = 111
  static let vp8: UInt8 = 96

  /// The identifier of the audio level among header extensions (RFC 6464).
  static let audioLevelExtension: UInt8 = 1
}
