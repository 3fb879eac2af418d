/// Iterates over the packets of an RTCP compound.
///
/// A compound may begin with any packet (RFC 5506). A malformed packet ends the iteration and sets
/// ``isMalformed``. Packets before the malformed packet remain valid. The reader allocates nothing.
public struct RTCPReader: Sendable {
  private var offset = 0

  /// Whether the iteration ended at bytes that are not an RTCP packet.
  public private(set) var isMalformed = false

  /// Creates a reader that begins with the first packet of a compound.
  public init() {}

  /// Returns the next packet; `nil` at the end.
  ///
  /// - Parameter bytes: The compound. Each call must pass the same compound.
  public mutating func next(in bytes: Span<UInt8>) -> RTCPPacket? {
    guard !isMalformed, offset < bytes.count else { return nil }
    guard let (packet, end) = Self.read(bytes, at: offset) else {
      isMalformed = true
      return nil
    }
    offset = end
    return packet
  }

  private static func read(_ bytes: Span<UInt8>, at start: Int) -> (RTCPPacket, end: Int)? {
    guard start + 4 <= bytes.count, bytes[start] >> 6 == 2 else { return nil }
    let end = start + 4 * (Int(bytes.uint16(at: start + 2)) + 1)
    guard end <= bytes.count else { return nil }
    var bodyEnd = end
    if bytes[start] & 0x20 != 0 {
      let padding = Int(bytes[end - 1])
      // Browsers pad transport feedback with one to three bytes, although RFC 3550 requires whole
      // words.
      guard padding > 0, start + 4 + padding <= end else { return nil }
      bodyEnd -= padding
    }
    let count = Int(bytes[start] & 0x1f)
    let packet = body(
      type: bytes[start + 1], count: count, in: bytes, at: start + 4, until: bodyEnd)
    return packet.map { ($0, end) }
  }

  /// Parses the body of a packet.
  ///
  /// - Parameter count: The five bits of the header that contain a count or a format.
  private static func body(
    type: UInt8, count: Int, in bytes: Span<UInt8>, at start: Int, until end: Int
  ) -> RTCPPacket? {
    let size = end - start
    switch (type, count) {
    case (RTCPType.senderReport, _):
      guard size >= 24 + ReportBlock.byteCount * count else { return nil }
      return .senderReport(
        SenderReport(bytes, at: start), reports: ReportBlocks(offset: start + 24, count: count))
    case (RTCPType.receiverReport, _):
      guard size >= 4 + ReportBlock.byteCount * count else { return nil }
      return .receiverReport(
        sender: bytes.uint32(at: start), reports: ReportBlocks(offset: start + 4, count: count))
    case (RTCPType.bye, _):
      guard size >= 4 * count else { return nil }
      return .bye(SSRCList(offset: start, count: count))
    case (RTCPType.transportFeedback, RTCPType.congestionFeedback):
      return CongestionFeedback(bytes, at: start, until: end).map { .congestionFeedback($0) }
    case (RTCPType.transportFeedback, RTCPType.applicationLayer):
      return TransportFeedback(bytes, at: start, until: end).map { .transportFeedback($0) }
    case (RTCPType.transportFeedback, RTCPType.nack), (RTCPType.payloadFeedback, _):
      guard size >= 8 else { return nil }
      return feedback(type: type, format: count, in: bytes, at: start, until: end)
    default:
      return .other(type: type)
    }
  }

  private static func feedback(
    type: UInt8, format: Int, in bytes: Span<UInt8>, at start: Int, until end: Int
  ) -> RTCPPacket? {
    let (sender, media) = (bytes.uint32(at: start), bytes.uint32(at: start + 4))
    let details = start + 8
    switch (type, format) {
    case (RTCPType.transportFeedback, _):
      guard end - details >= 4 else { return nil }
      return .nack(
        NackList(sender: sender, media: media, offset: details, count: (end - details) / 4))
    case (_, RTCPType.pictureLoss):
      return .pictureLoss(sender: sender, media: media)
    case (_, RTCPType.fullIntraRequest):
      guard end - details >= 8 else { return nil }
      return .fullIntraRequest(
        FullIntraRequestList(sender: sender, offset: details, count: (end - details) / 8))
    case (_, RTCPType.applicationLayer):
      return estimate(in: bytes, at: details, until: end)
    default:
      return .other(type: type)
    }
  }

  /// Parses the unique identifier `REMB`, a count, the estimate as mantissa and exponent, and
  /// SSRCs.
  ///
  /// The reader regards any other application feedback as well-formed.
  private static func estimate(
    in bytes: Span<UInt8>, at start: Int, until end: Int
  ) -> RTCPPacket? {
    guard end - start >= 8, bytes.uint32(at: start) == RTCPType.estimateIdentifier else {
      return .other(type: RTCPType.payloadFeedback)
    }
    let count = Int(bytes[start + 4])
    guard end - start >= 8 + 4 * count else { return nil }
    let exponent = UInt64(bytes[start + 5] >> 2)
    let mantissa = UInt64(bytes.uint24(at: start + 5) & 0x3_FFFF)
    let isTooLarge = mantissa.leadingZeroBitCount < Int(exponent)
    return .estimate(
      bitsPerSecond: isTooLarge ? .max : mantissa << exponent,
      sources: SSRCList(offset: start + 8, count: count))
  }
}
