/// The fields that SRTCP reads from the first packet of an RTCP compound (RFC 3550, section 6.4).
struct RTCPHeader {
  /// The number of bytes that SRTCP does not encrypt: the first packet's header and the sender's
  /// SSRC.
  static let byteCount = 8
  /// The flag of the SRTCP index that marks an encrypted packet (RFC 3711, section 3.4).
  static let encryptionFlag: UInt32 = 1 << 31

  let ssrc: UInt32

  /// - Returns: `nil` if the bytes are not an RTCP packet.
  init?(_ packet: RawSpan) {
    guard packet.byteCount >= Self.byteCount, packet.byte(at: 0) >> 6 == 2 else { return nil }
    ssrc = packet.uint32(at: 4)
  }
}
