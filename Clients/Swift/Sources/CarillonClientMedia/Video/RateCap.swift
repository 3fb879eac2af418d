/// Holds a stream to its bitrate, whatever its encoder makes of a picture.
///
/// What a frame takes has to be earned at the bitrate, the last half second of it in advance: until
/// then frames are left out before they are encoded, which costs the stream nothing but their
/// motion.
struct RateCap: Hashable, Sendable {
  /// What has been taken and not earned, in bits.
  private var debt = 0.0
  private var last: Int64?

  /// What may be taken in advance, as time at the bitrate.
  private static let advance = 0.5

  /// Ticks of timestamps in a second.
  private static let clockRate = 90_000.0

  /// Whether a frame may be encoded.
  mutating func allows(at timestamp: Int64, bitsPerSecond: Int) -> Bool {
    let elapsed = Double(max(0, timestamp - (last ?? timestamp))) / Self.clockRate
    last = timestamp
    debt = max(0, debt - elapsed * Double(bitsPerSecond))
    return debt <= Double(bitsPerSecond) * Self.advance
  }

  /// A frame took so many bytes.
  mutating func spend(_ bytes: Int) { debt += Double(bytes) * 8 }
}
