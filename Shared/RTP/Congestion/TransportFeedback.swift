/// A receiver's report on all packets of a connection: which packets arrived, and when. The report
/// identifies packets by their transport-wide number.
///
/// The format is draft-holmer-rmcat-transport-wide-cc-extensions-01, section 3.1. The lists remain
/// in the packet's bytes. To read the lists, the caller passes the bytes again.
public struct TransportFeedback: Hashable, Sendable {
  /// The SSRC of the receiver.
  public let sender: UInt32

  /// The first reported number.
  public let first: SequenceNumber

  /// The number of packets in the report.
  public let count: Int

  /// A counter of the receiver's reports; it wraps.
  public let number: UInt8

  /// The reference time of the deltas, in units of 64 ms by the receiver's clock.
  ///
  /// A signed number of 24 bits that wraps.
  let reference: Int32

  private let chunks: Int
  private let deltas: Int

  /// The maximum number of packets of a valid report. Carillon's senders have fewer packets in
  /// flight.
  public static let mostPackets = 8_192

  /// The unit of the times in feedback messages: 250 µs.
  static let tickUs: Int64 = 250

  /// The unit of reference times, in microseconds: 64 ms.
  static let referenceUs: Int64 = 64_000

  /// The symbol that reports on one packet.
  enum Symbol: UInt8 {
    case missing = 0

    /// The packet arrived. The time since the previous packet is an unsigned byte.
    case smallDelta

    /// The packet arrived. The time since the previous packet is a signed number of two bytes.
    case largeDelta

    var byteCount: Int { Int(rawValue) }
  }

  /// Parses a report.
  ///
  /// - Returns: `nil` if the report's chunks or deltas are incomplete, or use the reserved symbol.
  init?(_ bytes: Span<UInt8>, at start: Int, until end: Int) {
    guard end - start >= 16 else { return nil }
    sender = bytes.uint32(at: start)
    first = SequenceNumber(bytes.uint16(at: start + 8))
    count = Int(bytes.uint16(at: start + 10))
    // The shifts extend the sign of the 24-bit number.
    reference = Int32(bitPattern: bytes.uint24(at: start + 12) << 8) >> 8
    number = bytes[start + 15]
    chunks = start + 16
    guard count > 0, count <= Self.mostPackets else { return nil }
    var (offset, left, deltaBytes) = (chunks, count, 0)
    while left > 0 {
      guard offset + 2 <= end else { return nil }
      let chunk = Chunk(bytes.uint16(at: offset))
      let symbols = min(left, chunk.count)
      guard symbols > 0 else { return nil }
      for index in 0..<symbols {
        guard let symbol = chunk.symbol(index) else { return nil }
        deltaBytes += symbol.byteCount
      }
      left -= symbols
      offset += 2
    }
    guard offset + deltaBytes <= end else { return nil }
    deltas = offset
  }

  /// Calls `body` for each packet in the order of the numbers.
  ///
  /// - Parameter body: Receives the arrival time in microseconds after the reference time; `nil`
  ///   for a packet that has not arrived.
  public func forEach(in bytes: Span<UInt8>, _ body: (Int64?) -> Void) {
    var (chunkOffset, deltaOffset, left, time) = (chunks, deltas, count, Int64(0))
    while left > 0 {
      let chunk = Chunk(bytes.uint16(at: chunkOffset))
      for index in 0..<min(left, chunk.count) {
        switch chunk.symbol(index) {
        case .smallDelta:
          time += Int64(bytes[deltaOffset]) * Self.tickUs
          deltaOffset += 1
          body(time)
        case .largeDelta:
          time += Int64(Int16(bitPattern: bytes.uint16(at: deltaOffset))) * Self.tickUs
          deltaOffset += 2
          body(time)
        case .missing, nil: body(nil)
        }
      }
      left -= min(left, chunk.count)
      chunkOffset += 2
    }
  }

  /// A word of 16 bits with the symbols of up to 8,191 packets.
  private struct Chunk {
    let word: UInt16

    init(_ word: UInt16) { self.word = word }

    private var isVector: Bool { word & 0x8000 != 0 }
    private var hasTwoBits: Bool { word & 0x4000 != 0 }

    var count: Int {
      guard isVector else { return Int(word & 0x1FFF) }
      return hasTwoBits ? 7 : 14
    }

    /// Returns the symbol at an index.
    ///
    /// - Returns: `nil` for the reserved symbol.
    func symbol(_ index: Int) -> Symbol? {
      guard isVector else { return Symbol(rawValue: UInt8(word >> 13)) }
      if hasTwoBits { return Symbol(rawValue: UInt8(word >> UInt16(12 - 2 * index) & 3)) }
      return Symbol(rawValue: UInt8(word >> UInt16(13 - index) & 1))
    }
  }
}

/// Converts the transport feedback of one connection to arrival reports.
///
/// The reader tracks the other side's clock: the reference times in feedback messages wrap, but the
/// times in reports do not. In the reports, all packets belong to stream 0 and have their
/// transport-wide numbers.
public struct TransportFeedbackReader: Sendable {
  /// The stream of all packets in the reports.
  public static let stream: UInt32 = 0

  /// The last reference time, and its unwrapped time in microseconds.
  private var last: (reference: Int32, at: Int64)?

  /// Creates a reader for a connection that has received no feedback yet.
  public init() {}

  /// Reads a feedback message into a report, and replaces the report's previous content.
  public mutating func read(
    _ feedback: TransportFeedback, in bytes: Span<UInt8>, into report: inout ArrivalReport
  ) {
    report.clear()
    let origin = unwrap(feedback.reference)
    report.begin(Self.stream, from: feedback.first)
    feedback.forEach(in: bytes) { time in
      report.add(arrivedAt: time.map { origin &+ $0 })
    }
  }

  private mutating func unwrap(_ reference: Int32) -> Int64 {
    var time = Int64(reference) * TransportFeedback.referenceUs
    if let last {
      let step = ((reference &- last.reference) << 8) >> 8
      time = last.at &+ Int64(step) * TransportFeedback.referenceUs
    }
    last = (reference, time)
    return time
  }
}
