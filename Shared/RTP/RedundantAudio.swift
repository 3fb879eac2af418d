/// The blocks of a packet with redundant audio (RFC 2198): the primary block, and copies of earlier
/// blocks.
///
/// The value contains numbers and ranges, not the bytes, and allocates nothing.
public struct RedundantAudio: Hashable, Sendable {
  /// A copy of an earlier block.
  public struct Copy: Hashable, Sendable {
    /// The payload type, 0–127.
    public let payloadType: UInt8

    /// The age relative to the primary block, in ticks of the timestamp.
    public let timestampOffset: UInt32

    /// The range of the copy in the packet. This range may be empty.
    public let payload: Range<Int>
  }

  /// The payload type of the primary block, 0–127.
  public let payloadType: UInt8

  /// The range of the primary block.
  public let payload: Range<Int>

  /// The number of copies.
  public let count: Int

  private let start: Int
  private let sound: Int

  /// The maximum number of copies of a valid packet. Known senders send fewer copies.
  public static let mostCopies = 8

  /// Parses a payload.
  ///
  /// - Parameters:
  ///   - payload: The range of the packet's payload.
  ///   - bytes: The packet.
  /// - Returns: `nil` if the blocks are inconsistent or too many.
  public init?(_ payload: Range<Int>, in bytes: Span<UInt8>) {
    guard payload.upperBound <= bytes.count else { return nil }
    var (place, copies, length) = (payload.lowerBound, 0, 0)
    while place < payload.upperBound, bytes[place] & 0x80 != 0 {
      guard copies < Self.mostCopies, place + 4 < payload.upperBound else { return nil }
      length += Self.length(at: place, in: bytes)
      (place, copies) = (place + 4, copies + 1)
    }
    guard place < payload.upperBound, place + 1 + length <= payload.upperBound else { return nil }
    (start, sound, count) = (payload.lowerBound, place + 1, copies)
    payloadType = bytes[place] & 0x7F
    self.payload = place + 1 + length..<payload.upperBound
  }

  /// Returns a copy. Senders put the oldest copy first.
  ///
  /// - Parameters:
  ///   - index: The index of the copy, below ``count``.
  ///   - bytes: The packet that the initializer parsed.
  public func copy(_ index: Int, in bytes: Span<UInt8>) -> Copy {
    var begin = sound
    for earlier in 0..<index { begin += Self.length(at: start + 4 * earlier, in: bytes) }
    let header = start + 4 * index
    return Copy(
      payloadType: bytes[header] & 0x7F,
      timestampOffset: UInt32(bytes[header + 1]) << 6 | UInt32(bytes[header + 2]) >> 2,
      payload: begin..<begin + Self.length(at: header, in: bytes))
  }

  private static func length(at header: Int, in bytes: Span<UInt8>) -> Int {
    Int(bytes[header + 2] & 3) << 8 | Int(bytes[header + 3])
  }
}
