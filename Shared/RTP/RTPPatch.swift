/// New header fields for an existing RTP packet.
public struct RTPPatch: Hashable, Sendable {
  /// The new sequence number.
  public var sequence: SequenceNumber

  /// The new timestamp, in ticks of the payload format's clock.
  public var timestamp: UInt32

  /// The new SSRC.
  public var ssrc: UInt32

  /// The new payload type; `nil` keeps the current payload type.
  public var payloadType: UInt8?

  /// Creates a patch. If `payloadType` is `nil`, the packet keeps its payload type.
  public init(
    sequence: SequenceNumber, timestamp: UInt32, ssrc: UInt32, payloadType: UInt8? = nil
  ) {
    self.sequence = sequence
    self.timestamp = timestamp
    self.ssrc = ssrc
    self.payloadType = payloadType
  }

  /// Overwrites the header fields of a packet in place.
  ///
  /// - Parameter packet: The bytes of a packet that ``RTPPacket`` accepted.
  public func apply(to packet: inout MutableSpan<UInt8>) {
    if let payloadType { packet[1] = (packet[1] & 0x80) | (payloadType & 0x7f) }
    packet.set(sequence.rawValue, at: 2)
    packet.set(timestamp, at: 4)
    packet.set(ssrc, at: 8)
  }
}
