/// A receiver's report on one stream (RFC 3550, section 6.4.1).
public struct ReportBlock: Hashable, Sendable {
  /// The SSRC of the stream.
  public var ssrc: UInt32

  /// The share of the expected packets that were lost since the last report, in units of 1/256.
  public var fractionLost: UInt8

  /// The number of packets lost since the start, minus duplicates. On the wire, this is a signed
  /// number of 24 bits.
  public var cumulativeLost: Int32

  /// The highest sequence number in the low 16 bits, and the number of wraps in the high 16 bits.
  public var highestSequence: UInt32

  /// The interarrival jitter, in units of the timestamp.
  public var jitter: UInt32

  /// ``NTPTime/middle`` of the last sender report; 0 if no sender report has arrived.
  public var lastSenderReport: UInt32

  /// The time since the arrival of the last sender report, in 1/65,536 s.
  public var delaySinceLastSenderReport: UInt32

  static let byteCount = 24

  /// Creates a block; the defaults report no loss and no sender report.
  public init(
    ssrc: UInt32, fractionLost: UInt8 = 0, cumulativeLost: Int32 = 0, highestSequence: UInt32 = 0,
    jitter: UInt32 = 0, lastSenderReport: UInt32 = 0, delaySinceLastSenderReport: UInt32 = 0
  ) {
    self.ssrc = ssrc
    self.fractionLost = fractionLost
    self.cumulativeLost = cumulativeLost
    self.highestSequence = highestSequence
    self.jitter = jitter
    self.lastSenderReport = lastSenderReport
    self.delaySinceLastSenderReport = delaySinceLastSenderReport
  }

  init(_ bytes: Span<UInt8>, at offset: Int) {
    ssrc = bytes.uint32(at: offset)
    fractionLost = bytes[offset + 4]
    // The shifts extend the sign of the 24-bit number.
    cumulativeLost = Int32(bitPattern: bytes.uint24(at: offset + 5) << 8) >> 8
    highestSequence = bytes.uint32(at: offset + 8)
    jitter = bytes.uint32(at: offset + 12)
    lastSenderReport = bytes.uint32(at: offset + 16)
    delaySinceLastSenderReport = bytes.uint32(at: offset + 20)
  }

  func append(to buffer: inout [UInt8]) {
    buffer.append(networkOrder: ssrc)
    let lost = UInt32(bitPattern: min(max(cumulativeLost, -0x80_0000), 0x7F_FFFF)) & 0xFF_FFFF
    buffer.append(networkOrder: UInt32(fractionLost) << 24 | lost)
    buffer.append(networkOrder: highestSequence)
    buffer.append(networkOrder: jitter)
    buffer.append(networkOrder: lastSenderReport)
    buffer.append(networkOrder: delaySinceLastSenderReport)
  }
}
