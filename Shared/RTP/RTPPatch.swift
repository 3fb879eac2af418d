/// New header fields for an RTP packet that is there already.
public struct RTPPatch: Hashable, Sendable {
  /// The new sequence number.
  public var sequence: SequenceNumber

  /// The new timestamp, in ticks of the payload format's clock.
  public var timestamp: UInt32

  /// The new stream.
  public var ssrc: UInt32

  /// `nil`: as it is.
  public var payloadType: UInt8?

  /// Makes a patch; without a payload type the packet keeps its own.
  public init(
    sequence: SequenceNumber, timestamp: UInt32, ssrc: UInt32, payloadType: UInt8? = nil
  ) {
    self.sequence = sequence
    self.timestamp = timestamp
    self.ssrc = ssrc
    self.payloadType = payloadType
  }

  /// Writes them over those of a packet, in place.
  ///
  /// - Parameter packet: Bytes that ``RTPPacket`` accepted.
  public func apply(to packet: inout MutableSpan<UInt8>) {
    if let payloadType { packet[1] = (packet[1] & 0x80) | (payloadType & 0x7f) }
    packet.set(sequence.rawValue, at: 2)
    packet.set(timestamp, at: 4)
    packet.set(ssrc, at: 8)
  }
}
