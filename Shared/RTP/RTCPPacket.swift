/// One packet of a compound of RTCP packets, as ``RTCPReader`` finds them.
///
/// Lists stay where they are in the bytes: they are read by handing those in again.
public enum RTCPPacket: Hashable, Sendable {
  /// RFC 3550, section 6.4.1.
  case senderReport(SenderReport, reports: ReportBlocks)

  /// RFC 3550, section 6.4.2.
  case receiverReport(sender: UInt32, reports: ReportBlocks)

  /// The sources end (RFC 3550, section 6.6).
  case bye(SourceList)

  /// Packets are missing (RFC 4585, section 6.2.1).
  case nack(NackList)

  /// A receiver cannot decode any more and needs a key frame (RFC 4585, section 6.3.1).
  case pictureLoss(sender: UInt32, media: UInt32)

  /// The same with a number for each request, for several sources (RFC 5104, section 4.3.1).
  case fullIntraRequest(FullIntraList)

  /// A receiver's estimate of what its link carries (draft-alvestrand-rmcat-remb).
  case estimate(bitsPerSecond: UInt64, sources: SourceList)

  /// When packets arrived (RFC 8888).
  case congestionFeedback(CongestionFeedback)

  /// When packets arrived, by their transport-wide numbers
  /// (draft-holmer-rmcat-transport-wide-cc-extensions-01).
  case transportFeedback(TransportFeedback)

  /// Well-formed, and nothing that Carillon reads: a source description, application data, reports
  /// of other kinds.
  case other(type: UInt8)
}

/// Report blocks within a compound.
public struct ReportBlocks: Hashable, Sendable {
  let offset: Int

  /// How many blocks there are, 0-31.
  public let count: Int

  /// - Parameter index: Below `count`.
  public func block(_ index: Int, in bytes: Span<UInt8>) -> ReportBlock {
    precondition(index < count, "A report block's index is below their count.")
    return ReportBlock(bytes, at: offset + ReportBlock.byteCount * index)
  }
}

/// SSRCs within a compound.
public struct SourceList: Hashable, Sendable {
  let offset: Int

  /// How many SSRCs there are.
  public let count: Int

  /// - Parameter index: Below `count`.
  public func source(_ index: Int, in bytes: Span<UInt8>) -> UInt32 {
    precondition(index < count, "A source's index is below their count.")
    return bytes.uint32(at: offset + 4 * index)
  }
}

/// The sequence numbers that a NACK names.
public struct NackList: Hashable, Sendable {
  /// Who asks.
  public let sender: UInt32

  /// The stream they are missing from.
  public let media: UInt32

  let offset: Int
  let count: Int

  /// Calls `body` for each number, in order. Each item of the list names 1–17.
  public func forEach(in bytes: Span<UInt8>, _ body: (SequenceNumber) -> Void) {
    for index in 0..<count {
      let first = SequenceNumber(bytes.uint16(at: offset + 4 * index))
      body(first)
      var following = bytes.uint16(at: offset + 4 * index + 2)
      while following != 0 {
        body(first.advanced(by: following.trailingZeroBitCount + 1))
        following &= following - 1
      }
    }
  }
}

/// The sources that a FIR asks key frames of.
public struct FullIntraList: Hashable, Sendable {
  /// Who asks.
  public let sender: UInt32

  let offset: Int

  /// How many requests there are.
  public let count: Int

  /// - Parameter index: Below `count`.
  /// - Returns: The stream, and the number of the request: one that was seen already is a
  ///   repetition.
  public func request(_ index: Int, in bytes: Span<UInt8>) -> (media: UInt32, number: UInt8) {
    precondition(index < count, "A request's index is below their count.")
    return (bytes.uint32(at: offset + 8 * index), bytes[offset + 8 * index + 4])
  }
}
