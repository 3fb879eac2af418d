/// The 48-bit index of RTP packets: 2^16 × roll-over counter + sequence number (RFC 3711, section
/// 3.3.1).
enum PacketIndex {
  /// The end of the RTP indices that one key may protect (RFC 3711, section 9.2).
  static let rtpEnd: UInt64 = 1 << 48

  /// The end of the RTCP indices that one key may protect.
  static let rtcpEnd: UInt64 = 1 << 31

  /// Estimates the index of an RTP packet (RFC 3711, appendix A).
  ///
  /// The estimate is correct if the packet is less than 2^15 packets away from the highest packet.
  /// The counter never falls below 0, although RFC 3711 would set it to −1 before the first packet.
  ///
  /// - Parameter highest: The highest index of the stream, or `nil` before the stream's first
  ///   packet.
  /// - Returns: The index; `rtpEnd` or more if the counter has overflowed.
  static func estimate(_ sequenceNumber: UInt16, highest: UInt64?) -> UInt64 {
    guard let highest else { return UInt64(sequenceNumber) }
    let rollOvers = highest >> 16
    let distance = Int(sequenceNumber) - Int(highest & 0xffff)
    let round =
      switch distance {
      case ..<(-0x8000): rollOvers + 1
      case 0x8001...: rollOvers == 0 ? 0 : rollOvers - 1
      default: rollOvers
      }
    return round << 16 | UInt64(sequenceNumber)
  }
}
