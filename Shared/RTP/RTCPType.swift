/// The packet types and feedback formats of RTCP, as registered with IANA.
enum RTCPType {
  static let senderReport: UInt8 = 200
  static let receiverReport: UInt8 = 201
  static let bye: UInt8 = 203
  static let transportFeedback: UInt8 = 205
  static let payloadFeedback: UInt8 = 206

  // The format numbers of transport feedback (205), and those of payload feedback (206).
  static let nack = 1
  static let congestionFeedback = 11
  static let pictureLoss = 1
  static let fullIntraRequest = 4
  static let applicationLayer = 15

  /// The bytes of `REMB`.
  static let estimateIdentifier: UInt32 = 0x5245_4D42
}
