/// A limiter that keeps a stream at its bitrate, even if the encoder exceeds the bitrate.
///
/// The bits of each frame add to a debt. Each second, the debt falls by the bits of one second at
/// the bitrate. While the debt is more than half a second of the bitrate, the caller drops frames
/// before encoding. So the stream loses only the motion of these frames.
struct RateCap: Hashable, Sendable {
  /// The debt: the number of sent bits in excess of the bitrate.
  private var debt = 0.0
  private var last: Int64?

  /// The largest debt, as the number of seconds in which the bitrate clears the debt.
  private static let advance = 0.5

  /// The number of timestamp ticks per second.
  private static let clockRate = 90_000.0

  /// Returns whether the caller may encode a frame.
  mutating func allows(at timestamp: Int64, bitsPerSecond: Int) -> Bool {
    let elapsed = Double(max(0, timestamp - (last ?? timestamp))) / Self.clockRate
    last = timestamp
    debt = max(0, debt - elapsed * Double(bitsPerSecond))
    return debt <= Double(bitsPerSecond) * Self.advance
  }

  /// Adds the bytes of a frame to the debt.
  mutating func spend(_ bytes: Int) { debt += Double(bytes) * 8 }
}
