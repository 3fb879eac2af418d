/// The parts of a packet that protection treats differently.
struct SRTPPacketParts {
  /// The number that is authenticated in addition to the packet's own bytes.
  enum AuthenticatedIndex {
    /// The roll-over counter, which is not part of the transmitted packet (RFC 3711, section 4.2).
    case rollOvers(UInt32)
    /// The E flag and the SRTCP index, which are part of the transmitted packet (RFC 3711, section
    /// 3.4).
    case srtcp(UInt32)

    /// The roll-over counter, or the word with the E flag and the SRTCP index.
    var number: UInt32 {
      switch self {
      case .rollOvers(let number), .srtcp(let number): number
      }
    }

    /// The number of bytes of the transmitted packet that contain ``number``.
    var sentLength: Int {
      switch self {
      case .rollOvers: 0
      case .srtcp: 4
      }
    }
  }

  let ssrc: UInt32
  let index: UInt64
  /// The number of bytes at the start that are authenticated and not encrypted.
  let clearCount: Int
  /// The size of the packet without its protection.
  ///
  /// The sender encrypts the bytes after the clear bytes.
  let count: Int
  let trailer: AuthenticatedIndex

  /// Creates the parts of an RTP packet.
  init(_ header: SRTPPacketFields, index: UInt64, count: Int) {
    ssrc = header.ssrc
    self.index = index
    clearCount = header.byteCount
    self.count = count
    trailer = .rollOvers(UInt32(truncatingIfNeeded: index >> 16))
  }

  /// Creates the parts of an RTCP packet.
  ///
  /// The first header and the sender's SSRC stay clear. Without the E flag, the whole packet is
  /// clear.
  init(_ header: RTCPHeader, word: UInt32, count: Int) {
    ssrc = header.ssrc
    index = UInt64(word & ~RTCPHeader.encryptionFlag)
    clearCount = word & RTCPHeader.encryptionFlag == 0 ? count : RTCPHeader.byteCount
    self.count = count
    trailer = .srtcp(word)
  }
}
