/// A receiver's report on the packets of several streams: which packets arrived, and when (RFC
/// 8888).
///
/// The list of arrivals remains in the packet's bytes. To read the list, the caller passes the
/// bytes again.
public struct CongestionFeedback: Hashable, Sendable {
  /// The SSRC of the receiver.
  public let sender: UInt32

  /// The time of the report, in 1/65,536 s. The value wraps.
  public let timestamp: UInt32

  private let start: Int
  private let end: Int

  /// The report on one stream.
  public struct Stream: Hashable, Sendable {
    /// The SSRC of the stream.
    public let ssrc: UInt32

    /// The first reported sequence number.
    public let first: SequenceNumber

    /// The number of reported sequence numbers.
    public let count: Int

    fileprivate let offset: Int

    /// Returns how long before the report a packet arrived.
    ///
    /// - Parameter index: The index of the packet, below ``count``.
    /// - Returns: The age in microseconds; `nil` if the packet has not arrived.
    public func age(_ index: Int, in bytes: Span<UInt8>) -> Int64? {
      precondition(index < count, "A packet's index is below their count.")
      let word = bytes.uint16(at: offset + 2 * index)
      guard word & 0x8000 != 0 else { return nil }
      // The two highest values mean "longer ago" and "unknown" (RFC 8888, section 3.1).
      return Int64(min(word & 0x1FFF, Self.longest)) * 1_000_000 / 1_024
    }

    static let longest: UInt16 = 0x1FFD
  }

  /// Parses a report.
  ///
  /// - Returns: `nil` if the parts of the report do not fill the report exactly.
  init?(_ bytes: Span<UInt8>, at start: Int, until end: Int) {
    guard end - start >= 8 else { return nil }
    sender = bytes.uint32(at: start)
    timestamp = bytes.uint32(at: end - 4)
    (self.start, self.end) = (start + 4, end - 4)
    var offset = self.start
    while let stream = stream(at: offset, in: bytes) { offset = Self.end(of: stream) }
    guard offset == self.end else { return nil }
  }

  /// Calls `body` for each stream.
  public func forEach(in bytes: Span<UInt8>, _ body: (Stream) -> Void) {
    var offset = start
    while let stream = stream(at: offset, in: bytes) {
      body(stream)
      offset = Self.end(of: stream)
    }
  }

  private func stream(at offset: Int, in bytes: Span<UInt8>) -> Stream? {
    guard offset + 8 <= end else { return nil }
    let stream = Stream(
      ssrc: bytes.uint32(at: offset), first: SequenceNumber(bytes.uint16(at: offset + 4)),
      count: Int(bytes.uint16(at: offset + 6)), offset: offset + 8)
    return Self.end(of: stream) <= end ? stream : nil
  }

  /// Returns the offset of the end of the report on a stream. Two bytes of padding follow an odd
  /// number of packets.
  private static func end(of stream: Stream) -> Int {
    stream.offset + (stream.count + 1) / 2 * 4
  }
}

extension RTCPWriter {
  /// Begins a congestion control feedback message (RFC 8888, section 3.1).
  mutating func beginCongestionFeedback(sender: UInt32) -> Int {
    let start = begin(RTCPType.congestionFeedback, RTCPType.transportFeedback)
    bytes.append(networkOrder: sender)
    return start
  }

  /// Begins the report on one stream.
  mutating func beginStream(_ ssrc: UInt32, first: SequenceNumber, count: Int) {
    bytes.append(networkOrder: ssrc)
    bytes.append(networkOrder: first.rawValue)
    bytes.append(networkOrder: UInt16(clamping: count))
  }

  /// Adds a packet of a stream.
  ///
  /// - Parameter age: The time since the packet's arrival, in microseconds; `nil` if the packet has
  ///   not arrived.
  mutating func addArrival(age: Int64?) {
    guard let age else { return bytes.append(networkOrder: UInt16(0)) }
    let units = min(max(age, 0), 8_000_000) * 1_024 / 1_000_000
    bytes.append(
      networkOrder: 0x8000 | min(UInt16(units), CongestionFeedback.Stream.longest))
  }

  /// Ends the feedback message that began at `start`.
  mutating func endCongestionFeedback(_ start: Int, at now: MonotonicTime) {
    bytes.append(networkOrder: NTPTime(microsecondsSince1970: now.unsigned).middle)
    end(start)
  }

  /// Pads the report on a stream. The caller calls this method if the report contains an odd number
  /// of packets.
  mutating func fillStream() { bytes.append(networkOrder: UInt16(0)) }
}

extension MonotonicTime {
  fileprivate var unsigned: UInt64 { UInt64(max(0, microseconds)) }
}
