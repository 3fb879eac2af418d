/// A packet of an RTCP compound, returned by ``RTCPReader``.
///
/// Lists remain in the compound's bytes. The caller passes the bytes again to read the lists.
public enum RTCPPacket: Hashable, Sendable {
  /// A sender report (RFC 3550, section 6.4.1).
  case senderReport(SenderReport, reports: ReportBlocks)

  /// A receiver report (RFC 3550, section 6.4.2).
  case receiverReport(sender: UInt32, reports: ReportBlocks)

  /// The end of sources (RFC 3550, section 6.6).
  case bye(SSRCList)

  /// A report of missing packets (RFC 4585, section 6.2.1).
  case nack(NackList)

  /// A request for a key frame from a receiver that cannot decode (RFC 4585, section 6.3.1).
  case pictureLoss(sender: UInt32, media: UInt32)

  /// Numbered requests for key frames of several sources (RFC 5104, section 4.3.1).
  case fullIntraRequest(FullIntraRequestList)

  /// A receiver's estimate of its link's capacity (draft-alvestrand-rmcat-remb).
  case estimate(bitsPerSecond: UInt64, sources: SSRCList)

  /// Arrival times of packets (RFC 8888).
  case congestionFeedback(CongestionFeedback)

  /// Arrival times of packets by transport-wide number
  /// (draft-holmer-rmcat-transport-wide-cc-extensions-01).
  case transportFeedback(TransportFeedback)

  /// A well-formed packet that Carillon ignores: a source description, application data, or another
  /// kind of report.
  case other(type: UInt8)
}

/// Report blocks within a compound.
public struct ReportBlocks: Hashable, Sendable {
  let offset: Int

  /// The number of blocks, 0-31.
  public let count: Int

  /// Returns a block.
  ///
  /// - Parameter index: Below `count`.
  public func block(_ index: Int, in bytes: Span<UInt8>) -> ReportBlock {
    precondition(index < count, "A report block's index is below their count.")
    return ReportBlock(bytes, at: offset + ReportBlock.byteCount * index)
  }
}

/// SSRCs within a compound.
public struct SSRCList: Hashable, Sendable {
  let offset: Int

  /// The number of SSRCs.
  public let count: Int

  /// Returns an SSRC.
  ///
  /// - Parameter index: Below `count`.
  public func source(_ index: Int, in bytes: Span<UInt8>) -> UInt32 {
    precondition(index < count, "A source's index is below their count.")
    return bytes.uint32(at: offset + 4 * index)
  }
}

/// The sequence numbers in a NACK.
public struct NackList: Hashable, Sendable {
  /// The SSRC of the requesting receiver.
  public let sender: UInt32

  /// The SSRC of the stream with missing packets.
  public let media: UInt32

  let offset: Int
  let count: Int

  /// Calls `body` for each number in order. Each item of the list contains 1–17 numbers.
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

/// The requests for key frames in a FIR.
public struct FullIntraRequestList: Hashable, Sendable {
  /// The SSRC of the requesting receiver.
  public let sender: UInt32

  let offset: Int

  /// The number of requests.
  public let count: Int

  /// Returns a request.
  ///
  /// - Parameter index: Below `count`.
  /// - Returns: The stream and the number of the request. If the number equals the number of an
  ///   earlier request, the request is a repetition of that request.
  public func request(_ index: Int, in bytes: Span<UInt8>) -> (media: UInt32, number: UInt8) {
    precondition(index < count, "A request's index is below their count.")
    return (bytes.uint32(at: offset + 8 * index), bytes[offset + 8 * index + 4])
  }
}
