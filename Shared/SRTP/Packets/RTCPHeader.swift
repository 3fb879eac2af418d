/// What SRTCP reads of the first packet of an RTCP compound (RFC 3550, section 6.4).
struct RTCPHeader {
  /// Bytes that stay clear: the first packet's header and its sender.
  static let byteCount = 8
  /// The flag of the SRTCP index that says that the packet is encrypted (RFC 3711, section 3.4).
  static let encryptionFlag: UInt32 = 1 << 31

  let ssrc: UInt32

  /// - Returns: `nil` if the bytes are no RTCP packet.
  init?(_ packet: RawSpan) {
    guard packet.byteCount >= Self.byteCount, packet.byte(at: 0) >> 6 == 2 else { return nil }
    ssrc = packet.uint32(at: 4)
  }
}
