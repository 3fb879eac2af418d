/// The retransmission of a packet in a separate stream (RFC 4588, section 4).
///
/// The sequence number of the original packet precedes the original payload.
public enum Retransmission {
  /// The number of bytes before the payload of a retransmission.
  public static let headerBytes = 2

  /// Converts a retransmission to the original packet, in place.
  ///
  /// - Parameters:
  ///   - packet: The layout of `bytes`. The packet must have no header extensions, and no padding
  ///     after a payload; ``RTPPacket/compact(in:)`` removes both.
  ///   - payloadType: The payload type of the original packet.
  ///   - ssrc: The SSRC of the original packet.
  /// - Returns: The length of the original packet, which starts at the first byte; `nil` for a
  ///   retransmission that contains no packet and only probes the link.
  public static func unwrap(
    _ packet: RTPPacket, payloadType: UInt8, ssrc: UInt32, in bytes: inout MutableSpan<UInt8>
  ) -> Int? {
    let start = packet.payload.lowerBound
    guard packet.payload.count > headerBytes else { return nil }
    let sequence = SequenceNumber(bytes.span.uint16(at: start))
    for index in start..<packet.payload.upperBound - headerBytes {
      bytes[index] = bytes[index + headerBytes]
    }
    RTPPatch(
      sequence: sequence, timestamp: packet.timestamp, ssrc: ssrc, payloadType: payloadType
    ).apply(to: &bytes)
    return packet.payload.upperBound - headerBytes
  }

  /// Appends the payload of a retransmission.
  ///
  /// - Parameter packet: The layout of `bytes`, the original packet.
  public static func append(
    _ packet: RTPPacket, in bytes: Span<UInt8>, to buffer: inout [UInt8]
  ) {
    buffer.append(networkOrder: packet.sequence.rawValue)
    buffer.append(copying: bytes.extracting(packet.payload))
  }
}

extension RTPPacket {
  /// Reduces a packet to its fixed header and payload, in place.
  ///
  /// Removes contributors, header extensions and padding after a payload. A packet with only
  /// padding keeps its padding.
  ///
  /// - Parameter bytes: The bytes of the packet.
  /// - Returns: The length of the reduced packet, which starts at the first byte.
  public func compact(in bytes: inout MutableSpan<UInt8>) -> Int {
    let isPadding = payload.isEmpty && paddingBytes > 0
    let kept = isPadding ? paddingBytes : payload.count
    bytes[0] = isPadding ? 0xA0 : 0x80
    if payload.lowerBound > Self.smallestHeaderBytes {
      for index in 0..<kept {
        bytes[Self.smallestHeaderBytes + index] = bytes[payload.lowerBound + index]
      }
    }
    return Self.smallestHeaderBytes + kept
  }
}
