/// A sender's report on its stream (RFC 3550, section 6.4.1).
public struct SenderReport: Hashable, Sendable {
  /// The SSRC of the stream.
  public var ssrc: UInt32

  /// The time of sending by the sender's clock.
  public var time: NTPTime

  /// The report's time as a timestamp of the stream.
  public var timestamp: UInt32

  /// The number of packets sent since the start of the stream; the number wraps.
  public var packets: UInt32

  /// The number of payload bytes sent since the start of the stream; the number wraps.
  public var payloadBytes: UInt32

  /// Creates a report that relates `timestamp` to `time`.
  public init(
    ssrc: UInt32, time: NTPTime, timestamp: UInt32, packets: UInt32, payloadBytes: UInt32
  ) {
    self.ssrc = ssrc
    self.time = time
    self.timestamp = timestamp
    self.packets = packets
    self.payloadBytes = payloadBytes
  }

  init(_ bytes: Span<UInt8>, at offset: Int) {
    ssrc = bytes.uint32(at: offset)
    time = NTPTime(
      rawValue: UInt64(bytes.uint32(at: offset + 4)) << 32 | UInt64(bytes.uint32(at: offset + 8)))
    timestamp = bytes.uint32(at: offset + 12)
    packets = bytes.uint32(at: offset + 16)
    payloadBytes = bytes.uint32(at: offset + 20)
  }
}
