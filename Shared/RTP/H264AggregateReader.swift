/// Iterates over the NAL units of an aggregate (RFC 6184, section 5.7.1).
public struct H264AggregateReader: Sendable {
  private var offset = 1

  /// Whether the iteration ended at an invalid length.
  public private(set) var isMalformed = false

  /// Creates a reader that begins with the first unit of an aggregate.
  public init() {}

  /// Returns the range of the next unit, which is never empty.
  ///
  /// - Parameter payload: The aggregate. Each call must pass the same aggregate.
  public mutating func next(in payload: Span<UInt8>) -> Range<Int>? {
    guard !isMalformed, offset < payload.count else { return nil }
    guard offset + 2 < payload.count else { return fail() }
    let start = offset + 2
    let count = Int(payload.uint16(at: offset))
    guard count > 0, start + count <= payload.count else { return fail() }
    offset = start + count
    return start..<offset
  }

  private mutating func fail() -> Range<Int>? {
    isMalformed = true
    return nil
  }
}
