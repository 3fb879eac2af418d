/// Writes an RTCP compound into a reused buffer.
public struct RTCPWriter: Sendable {
  /// The bytes written since ``clear()``.
  public internal(set) var bytes: [UInt8] = []

  /// The maximum number of blocks of a report. The writer omits further blocks.
  public static let maximumReportBlocks = 31

  /// Creates an empty compound.
  public init() {}

  /// Whether the writer has written nothing since ``clear()``.
  public var isEmpty: Bool { bytes.isEmpty }

  /// Begins a new compound.
  public mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Appends a sender report with at most ``maximumReportBlocks`` blocks (RFC 3550, section 6.4.1).
  public mutating func addSenderReport(_ report: SenderReport, reports: Span<ReportBlock>) {
    let count = min(reports.count, Self.maximumReportBlocks)
    let start = begin(count, RTCPType.senderReport)
    bytes.append(networkOrder: report.ssrc)
    bytes.append(networkOrder: UInt32(truncatingIfNeeded: report.time.rawValue >> 32))
    bytes.append(networkOrder: UInt32(truncatingIfNeeded: report.time.rawValue))
    bytes.append(networkOrder: report.timestamp)
    bytes.append(networkOrder: report.packets)
    bytes.append(networkOrder: report.payloadBytes)
    for index in 0..<count { reports[index].append(to: &bytes) }
    end(start)
  }

  /// Appends a receiver report with at most ``maximumReportBlocks`` blocks (RFC 3550, section
  /// 6.4.2).
  public mutating func addReceiverReport(sender: UInt32, reports: Span<ReportBlock>) {
    let count = min(reports.count, Self.maximumReportBlocks)
    let start = begin(count, RTCPType.receiverReport)
    bytes.append(networkOrder: sender)
    for index in 0..<count { reports[index].append(to: &bytes) }
    end(start)
  }

  /// Appends a bye of a source (RFC 3550, section 6.6).
  public mutating func addBye(_ source: UInt32) {
    let start = begin(1, RTCPType.bye)
    bytes.append(networkOrder: source)
    end(start)
  }

  /// Appends a report of missing packets.
  ///
  /// - Parameter missing: The numbers in ascending order. If there are no numbers, this method
  ///   writes nothing.
  public mutating func addNack(
    sender: UInt32, media: UInt32, missing: Span<SequenceNumber>
  ) {
    guard missing.count > 0 else { return }
    let start = begin(RTCPType.nack, RTCPType.transportFeedback)
    bytes.append(networkOrder: sender)
    bytes.append(networkOrder: media)
    var (first, following) = (missing[0], UInt16(0))
    for index in 1..<missing.count {
      let distance = first.distance(to: missing[index])
      switch distance {
      case 0: continue
      case 1...16: following |= 1 << UInt16(distance - 1)
      default:
        bytes.append(networkOrder: first.rawValue)
        bytes.append(networkOrder: following)
        (first, following) = (missing[index], 0)
      }
    }
    bytes.append(networkOrder: first.rawValue)
    bytes.append(networkOrder: following)
    end(start)
  }

  /// Appends a request for a key frame (RFC 4585, section 6.3.1).
  public mutating func addPictureLoss(sender: UInt32, media: UInt32) {
    let start = begin(RTCPType.pictureLoss, RTCPType.payloadFeedback)
    bytes.append(networkOrder: sender)
    bytes.append(networkOrder: media)
    end(start)
  }

  /// Appends a numbered request for a key frame.
  ///
  /// - Parameter number: The number of the request. A repeated request has the same number. A new
  ///   request has the next number.
  public mutating func addFullIntraRequest(sender: UInt32, media: UInt32, number: UInt8) {
    let start = begin(RTCPType.fullIntraRequest, RTCPType.payloadFeedback)
    bytes.append(networkOrder: sender)
    bytes.append(networkOrder: UInt32(0))
    bytes.append(networkOrder: media)
    bytes.append(networkOrder: UInt32(number) << 24)
    end(start)
  }

  /// Appends a receiver's estimate of its link for one source, rounded down to 18 bits.
  public mutating func addEstimate(sender: UInt32, source: UInt32, bitsPerSecond: UInt64) {
    let start = begin(RTCPType.applicationLayer, RTCPType.payloadFeedback)
    bytes.append(networkOrder: sender)
    bytes.append(networkOrder: UInt32(0))
    bytes.append(networkOrder: RTCPType.estimateIdentifier)
    let exponent = max(0, 64 - bitsPerSecond.leadingZeroBitCount - 18)
    let mantissa = UInt32(truncatingIfNeeded: bitsPerSecond >> UInt64(exponent))
    bytes.append(networkOrder: 1 << 24 | UInt32(exponent) << 18 | mantissa)
    bytes.append(networkOrder: source)
    end(start)
  }

  mutating func begin(_ count: Int, _ type: UInt8) -> Int {
    bytes.append(0x80 | UInt8(count))
    bytes.append(type)
    bytes.append(networkOrder: UInt16(0))
    return bytes.count - 4
  }

  mutating func end(_ start: Int) {
    let words = UInt16(truncatingIfNeeded: (bytes.count - start) / 4 - 1)
    bytes[start + 2] = UInt8(truncatingIfNeeded: words >> 8)
    bytes[start + 3] = UInt8(truncatingIfNeeded: words)
  }
}
