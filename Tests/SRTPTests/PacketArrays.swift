import SRTP

extension [UInt8] {
  /// Returns an RTP packet without extensions, with a payload of equal bytes.
  static func rtp(
    _ sequenceNumber: UInt16, ssrc: UInt32 = 1, payload: Int = 100, of byte: UInt8 = 7
  ) -> [UInt8] {
    let header: [UInt8] = [
      0x80, 0x60, UInt8(sequenceNumber >> 8), UInt8(sequenceNumber & 0xff), 0, 0, 0, 9,
    ]
    return header + ssrc.bigEndianBytes + [UInt8](repeating: byte, count: payload)
  }

  /// Returns a receiver report without blocks, followed by an application packet of `words` words.
  static func rtcp(ssrc: UInt32 = 1, words: Int = 2) -> [UInt8] {
    let application: [UInt8] = [0x80, 204, 0, UInt8(words - 1)]
    return [0x80, 201, 0, 1] + ssrc.bigEndianBytes + application
      + [UInt8](repeating: 5, count: 4 * (words - 1))
  }
}

extension UInt32 {
  var bigEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * $0)) } }
}

/// The kind of a packet: RTP or RTCP.
enum PacketKind: CaseIterable {
  case rtp
  case rtcp
}

extension SRTPSender {
  /// Protects a copy of a packet.
  mutating func protect(
    _ packet: [UInt8], _ kind: PacketKind = .rtp
  ) -> Result<[UInt8], SRTPRefusal> {
    var bytes = packet + [UInt8](repeating: 0xee, count: rtcpOverhead)
    var elements = bytes.mutableSpan
    var span = elements.mutableBytes
    let result =
      switch kind {
      case .rtp: protectRTP(&span, count: packet.count)
      case .rtcp: protectRTCP(&span, count: packet.count)
      }
    return result.map { Array(bytes.prefix($0)) }
  }
}

extension SRTPReceiver {
  /// Opens a copy of a packet.
  mutating func open(
    _ packet: [UInt8], _ kind: PacketKind = .rtp
  ) -> Result<[UInt8], SRTPRefusal> {
    var bytes = packet
    var elements = bytes.mutableSpan
    var span = elements.mutableBytes
    let result =
      switch kind {
      case .rtp: openRTP(&span, count: packet.count)
      case .rtcp: openRTCP(&span, count: packet.count)
      }
    return result.map { Array(bytes.prefix($0)) }
  }
}
