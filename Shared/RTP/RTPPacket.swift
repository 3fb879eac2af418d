/// The layout of an RTP packet (RFC 3550, section 5.1).
///
/// The layout contains numbers and ranges, not the bytes. The caller keeps the bytes and passes
/// them again to read a range. Parsing neither copies nor allocates, and rejects malformed packets.
public struct RTPPacket: Hashable, Sendable {
  /// The marker bit. In video, this bit marks the last packet of a frame.
  public let isMarked: Bool

  /// The payload type, 0–127.
  public let payloadType: UInt8

  /// The sequence number in the stream.
  public let sequence: SequenceNumber

  /// The time of the packet's first sample, in ticks of the payload format's clock; it wraps.
  public let timestamp: UInt32

  /// The SSRC of the packet's stream.
  public let ssrc: UInt32

  /// The range of the contributing sources, four bytes each.
  public let contributors: Range<Int>

  /// The profile of the header extensions; 0 if the packet has no header extensions.
  public let extensionProfile: UInt16

  /// The range of the header extensions without the header that all extensions share; empty if the
  /// packet has no extensions.
  public let extensions: Range<Int>

  /// The range of the payload. The range is empty in a packet that probes the link and contains
  /// only padding.
  public let payload: Range<Int>

  /// The number of padding bytes after the payload.
  public let paddingBytes: Int

  /// The size of a header without contributors and extensions, in bytes.
  public static let smallestHeaderBytes = 12

  /// Parses a packet; returns `nil` if the bytes are not an RTP packet.
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

  /// Returns whether bytes are RTCP rather than RTP on a connection that carries both protocols
  /// (RFC 5761, section 4).
  ///
  /// RTCP uses the packet types 192–223. In an RTP packet with the marker bit, a payload type of
  /// 64–95 has the same byte value. So multiplexed RTP must not use these payload types.
  public static func isRTCP(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 2 && bytes[0] >> 6 == 2 && (192...223).contains(bytes[1])
  }

  /// Returns the contributing source at an index below `contributors.count / 4`.
  public func contributor(_ index: Int, in bytes: Span<UInt8>) -> UInt32 {
    bytes.uint32(at: contributors.lowerBound + 4 * index)
  }

  /// Returns the range of a header extension's value.
  ///
  /// - Returns: The range of the first matching extension; `nil` if the packet has no such
  ///   extension.
  public func headerExtension(_ id: UInt8, in bytes: Span<UInt8>) -> Range<Int>? {
    var reader = HeaderExtensionReader(self)
    while let item = reader.next(in: bytes) {
      if item.id == id { return item.value }
    }
    return nil
  }
}
