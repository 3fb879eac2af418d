/// The numbers that `MediaFormat` tells ZeroMQ clients, as the contract has them.
enum PayloadTypes {
  static let opus: UInt8 = 111
  static let vp8: UInt8 = 96

  /// The identifier of the audio level among header extensions (RFC 6464).
  static let audioLevelExtension: UInt8 = 1
}
