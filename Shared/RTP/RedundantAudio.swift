/// The blocks of a packet with redundant audio (RFC 2198): the packet's own sound, and copies of
/// sound that was sent before.
///
/// Holds numbers and ranges, not the bytes, and allocates nothing.
public struct RedundantAudio: Hashable, Sendable {
  /// A copy of sound that was sent before.
  public struct Copy: Hashable, Sendable {
    /// What the sound is, 0–127.
    public let payloadType: UInt8

    /// How much older than the packet's own sound it is, in ticks of the timestamp.
    public let timestampOffset: UInt32

    /// Where it is in the packet. May be empty.
    public let payload: Range<Int>
  }

  /// What the packet's own sound is, 0–127.
  public let payloadType: UInt8

  /// Where the packet's own sound is.
  public let payload: Range<Int>

  /// How many copies there are.
  public let count: Int

  private let start: Int
  private let sound: Int

  /// More copies than any sender makes. A packet with more is refused.
  public static let mostCopies = 8

  /// - Parameters:
  ///   - payload: Where the packet's payload is.
  ///   - bytes: The packet.
  /// - Returns: `nil` if the blocks do not add up, or there are too many.
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

  /// Returns a copy, the oldest first as senders order them.
  ///
  /// - Parameters:
  ///   - index: Below ``count``.
  ///   - bytes: The same packet.
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
