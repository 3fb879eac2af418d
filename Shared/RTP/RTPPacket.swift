/// Where the parts of an RTP packet are (RFC 3550, section 5.1).
///
/// Holds numbers and ranges, not the bytes: those stay with whoever lent them, and are handed in
/// again to read what is in a range. Parsing copies and allocates nothing, and refuses what does
/// not add up.
public struct RTPPacket: Hashable, Sendable {
  /// The marker bit: on video, the last packet of a frame.
  public let isMarked: Bool

  /// What the payload is, 0–127.
  public let payloadType: UInt8

  /// The packet's place in its stream.
  public let sequence: SequenceNumber

  /// When its first sample was taken, in ticks of the payload format's clock; it wraps.
  public let timestamp: UInt32

  /// The stream it belongs to.
  public let ssrc: UInt32

  /// Where the contributing sources are, four bytes each.
  public let contributors: Range<Int>

  /// Which form the header extensions have; 0 without any.
  public let extensionProfile: UInt16

  /// Where the header extensions are, without their own header; empty if there are none.
  public let extensions: Range<Int>

  /// Where the payload is. May be empty: padding alone is used for probing.
  public let payload: Range<Int>

  /// Bytes of padding behind it.
  public let paddingBytes: Int

  /// Bytes of a header without contributors and extensions.
  public static let smallestHeaderBytes = 12

  /// `nil`: this is not an RTP packet.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count >= Self.smallestHeaderBytes, bytes[0] >> 6 == 2 else { return nil }
    var offset = Self.smallestHeaderBytes + 4 * Int(bytes[0] & 0x0f)
    guard offset <= bytes.count else { return nil }
    contributors = Self.smallestHeaderBytes..<offset
    if bytes[0] & 0x10 != 0 {
      guard offset + 4 <= bytes.count else { return nil }
      extensionProfile = bytes.uint16(at: offset)
      let start = offset + 4
      offset = start + 4 * Int(bytes.uint16(at: offset + 2))
      guard offset <= bytes.count else { return nil }
      extensions = start..<offset
    } else {
      extensionProfile = 0
      extensions = offset..<offset
    }
    if bytes[0] & 0x20 != 0 {
      paddingBytes = Int(bytes[bytes.count - 1])
      guard paddingBytes > 0, offset + paddingBytes <= bytes.count else { return nil }
    } else {
      paddingBytes = 0
    }
    payload = offset..<bytes.count - paddingBytes
    isMarked = bytes[1] & 0x80 != 0
    payloadType = bytes[1] & 0x7f
    sequence = SequenceNumber(bytes.uint16(at: 2))
    timestamp = bytes.uint32(at: 4)
    ssrc = bytes.uint32(at: 8)
  }

  /// Whether bytes that came where both are exchanged are RTCP, by RFC 5761, section 4: packet
  /// types 192–223, which are the payload types 64–95 with a marker bit that nobody may use then.
  public static func isRTCP(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 2 && bytes[0] >> 6 == 2 && (192...223).contains(bytes[1])
  }

  /// The contributing source at an index below `contributors.count / 4`.
  public func contributor(_ index: Int, in bytes: Span<UInt8>) -> UInt32 {
    bytes.uint32(at: contributors.lowerBound + 4 * index)
  }

  /// Where the value of a header extension is.
  ///
  /// - Returns: `nil` if the packet does not have it. The first one counts.
  public func headerExtension(_ id: UInt8, in bytes: Span<UInt8>) -> Range<Int>? {
    var reader = HeaderExtensionReader(self)
    while let item = reader.next(in: bytes) {
      if item.id == id { return item.value }
    }
    return nil
  }
}
