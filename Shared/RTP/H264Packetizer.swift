/// Splits H.264 access units into RTP payloads (RFC 6184, packetization mode 1).
///
/// The packetizer aggregates small NAL units, and fragments large NAL units.
public struct H264Packetizer: Sendable {
  /// The maximum number of bytes of a payload.
  public let maximumPayloadBytes: Int

  private var units: [Range<Int>] = []
  private var buffer: [UInt8] = []

  /// - Parameter maximumPayloadBytes: The maximum number of bytes of a payload; at least 16.
  public init(maximumPayloadBytes: Int = 1_200) {
    precondition(maximumPayloadBytes >= 16, "A payload has room for at least 16 bytes.")
    self.maximumPayloadBytes = maximumPayloadBytes
  }

  /// Emits the payloads of an access unit, in order.
  ///
  /// - Parameters:
  ///   - frame: The access unit in the byte stream format, with a start code of three or four bytes
  ///     before each NAL unit. Without start codes there are no payloads.
  ///   - emit: Receives each payload, and whether the payload is the last payload. The next payload
  ///     overwrites the bytes. The packet of the last payload gets the marker bit.
  public mutating func packetize<E: Error>(
    _ frame: Span<UInt8>, _ emit: (Span<UInt8>, Bool) throws(E) -> Void
  ) throws(E) {
    findUnits(in: frame)
    var index = 0
    while index < units.count {
      let end = endOfAggregate(from: index)
      let isLast = end == units.count
      if units[index].count > maximumPayloadBytes {
        try emitFragments(of: units[index], in: frame, isLast: isLast, emit)
      } else if end == index + 1 {
        try emit(frame.extracting(units[index]), isLast)
      } else {
        aggregate(index..<end, in: frame)
        try emit(buffer.span, isLast)
      }
      index = end
    }
  }

  /// Returns the end of the range of units that share a payload. The range starts with the unit at
  /// `index`.
  private func endOfAggregate(from index: Int) -> Int {
    var (size, end) = (1, index)
    while end < units.count, size + 2 + units[end].count <= maximumPayloadBytes {
      size += 2 + units[end].count
      end += 1
    }
    return max(end, index + 1)
  }

  private mutating func aggregate(_ group: Range<Int>, in frame: Span<UInt8>) {
    // The header's forbidden bit and importance (NRI) are the highest values among the units (RFC
    // 6184, section 5.7).
    var header: UInt8 = 0
    for index in group {
      let first = frame[units[index].lowerBound]
      header = (header | first) & 0x80 | max(header & 0x60, first & 0x60)
    }
    buffer.removeAll(keepingCapacity: true)
    buffer.append(header | H264NALUnitType.aggregate)
    for index in group {
      buffer.append(networkOrder: UInt16(units[index].count))
      buffer.append(copying: frame.extracting(units[index]))
    }
  }

  private mutating func emitFragments<E: Error>(
    of unit: Range<Int>, in frame: Span<UInt8>, isLast: Bool,
    _ emit: (Span<UInt8>, Bool) throws(E) -> Void
  ) throws(E) {
    let header = frame[unit.lowerBound]
    let body = unit.lowerBound + 1..<unit.upperBound
    let room = maximumPayloadBytes - 2
    // RFC 6184 (section 5.8) forbids a fragment that is both first and last, so a unit has at least
    // two fragments.
    let pieces = max(2, (body.count + room - 1) / room)
    for piece in 0..<pieces {
      let start = body.lowerBound + body.count * piece / pieces
      let end = body.lowerBound + body.count * (piece + 1) / pieces
      let (isFirst, isFinal) = (piece == 0, piece == pieces - 1)
      buffer.removeAll(keepingCapacity: true)
      buffer.append(header & 0xe0 | H264NALUnitType.fragment)
      buffer.append((isFirst ? 0x80 : 0) | (isFinal ? 0x40 : 0) | (header & 0x1f))
      buffer.append(copying: frame.extracting(start..<end))
      try emit(buffer.span, isLast && isFinal)
    }
  }

  private mutating func findUnits(in frame: Span<UInt8>) {
    units.removeAll(keepingCapacity: true)
    var (start, offset): (Int?, Int) = (nil, 0)
    while offset + 2 < frame.count {
      // Of three bytes, the third determines how far the search advances.
      if frame[offset + 2] > 1 {
        offset += 3
      } else if frame[offset] == 0, frame[offset + 1] == 0, frame[offset + 2] == 1 {
        if let start { addUnit(start..<offset, in: frame) }
        offset += 3
        start = offset
      } else {
        offset += 1
      }
    }
    if let start { addUnit(start..<frame.count, in: frame) }
  }

  /// Adds a unit without its trailing zeros. The zeros belong to the next start code or are
  /// padding.
  private mutating func addUnit(_ range: Range<Int>, in frame: Span<UInt8>) {
    var end = range.upperBound
    while end > range.lowerBound, frame[end - 1] == 0 { end -= 1 }
    if end > range.lowerBound { units.append(range.lowerBound..<end) }
  }
}
