/// The fields that SRTP reads from an RTP packet's header (RFC 3550, section 5.1).
struct SRTPPacketFields {
  /// The size of the header with contributors and header extension.
  ///
  /// SRTP does not encrypt these bytes.
  let byteCount: Int
  let sequenceNumber: UInt16
  let ssrc: UInt32

  /// - Returns: `nil` if the bytes are not an RTP packet.
  init?(_ packet: RawSpan) {
    guard packet.byteCount >= 12, packet.byte(at: 0) >> 6 == 2 else { return nil }
    guard let byteCount = Self.byteCount(of: packet) else { return nil }
    self.byteCount = byteCount
    sequenceNumber = packet.uint16(at: 2)
    ssrc = packet.uint32(at: 8)
  }

  private static func byteCount(of packet: RawSpan) -> Int? {
    var count = 12 + 4 * Int(packet.byte(at: 0) & 0x0f)
    if packet.byte(at: 0) & 0x10 != 0 {
      guard count + 4 <= packet.byteCount else { return nil }
      count += 4 + 4 * Int(packet.uint16(at: count + 2))
    }
    return count <= packet.byteCount ? count : nil
  }
}
