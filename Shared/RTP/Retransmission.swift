/// The repetition of a packet in a stream of its own (RFC 4588, section 4): the number of the
/// packet that is repeated stands in front of its payload.
public enum Retransmission {
  /// Bytes that a repetition has in front of the payload.
  public static let headerBytes = 2

  /// Makes the packet that was repeated out of its repetition, in place.
  ///
  /// - Parameters:
  ///   - packet: What the bytes hold: a packet without header extensions and padding, see
  ///     ``RTPPacket/compact(in:)``.
  ///   - payloadType: Of the packet that was repeated.
  ///   - ssrc: Of the stream that it belongs to.
  /// - Returns: Bytes of the packet at the start; `nil`: the repetition holds none, and only probes
  ///   the path.
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

  /// Appends the payload of a repetition.
  ///
  /// - Parameter packet: What `bytes` hold: the packet that is repeated.
  public static func append(
    _ packet: RTPPacket, in bytes: Span<UInt8>, to buffer: inout [UInt8]
  ) {
    buffer.append(networkOrder: packet.sequence.rawValue)
    buffer.append(copying: bytes.extracting(packet.payload))
  }
}

extension RTPPacket {
  /// Leaves the fixed header and the payload of a packet, in place: contributors, header extensions
  /// and the padding behind a payload go. A packet of padding alone stays one.
  ///
  /// - Parameter bytes: Those that the packet was parsed from.
  /// - Returns: Bytes of the packet at the start.
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
