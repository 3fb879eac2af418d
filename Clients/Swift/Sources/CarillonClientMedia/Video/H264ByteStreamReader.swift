/// Iterates over the NAL units of H.264 data in the byte stream format (ITU-T H.264, annex B).
///
/// A start code of three or four bytes precedes each unit. The reader skips bytes before the first
/// start code, and empty units.
struct H264ByteStreamReader {
  private var offset = 0

  /// The beginning of the unit whose end the reader has not found yet.
  private var start: Int?

  /// Returns the range of the next unit; `nil` after the last unit.
  ///
  /// The range has neither the start code nor the zeros after the unit. These zeros belong to the
  /// next start code, or are padding.
  ///
  /// - Parameter data: The data. Each call must pass the same data.
  mutating func next(in data: Span<UInt8>) -> Range<Int>? {
    while offset + 2 < data.count {
      // No start code contains a byte above 1. If the third of three bytes is above 1, the search
      // skips all three bytes.
      if data[offset + 2] > 1 {
        offset += 3
      } else if data[offset] == 0, data[offset + 1] == 0, data[offset + 2] == 1 {
        let found = start.flatMap { Self.unit($0..<offset, in: data) }
        offset += 3
        start = offset
        if let found { return found }
      } else {
        offset += 1
      }
    }
    defer { start = nil }
    return start.flatMap { Self.unit($0..<data.count, in: data) }
  }

  /// Returns a range without trailing zeros; `nil` if nothing remains.
  private static func unit(_ range: Range<Int>, in data: Span<UInt8>) -> Range<Int>? {
    var end = range.upperBound
    while end > range.lowerBound, data[end - 1] == 0 { end -= 1 }
    return end > range.lowerBound ? range.lowerBound..<end : nil
  }
}
