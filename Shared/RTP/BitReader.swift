/// Reads the bits of a header. In an H.264 NAL unit, skips emulation prevention bytes (ITU-T H.264,
/// section 7.3.1).
///
/// Every read past the end returns `nil`.
struct BitReader: Sendable {
  private var offset: Int
  private var zeros = 0
  private var bitsLeft = 0
  private var current: UInt8 = 0
  private let skipsEmulationPrevention: Bool

  init(from offset: Int, skipsEmulationPrevention: Bool = true) {
    (self.offset, self.skipsEmulationPrevention) = (offset, skipsEmulationPrevention)
  }

  mutating func bit(_ bytes: Span<UInt8>) -> UInt32? {
    if bitsLeft == 0 {
      guard advance(bytes) else { return nil }
    }
    bitsLeft -= 1
    return UInt32(current >> UInt8(bitsLeft)) & 1
  }

  /// Reads an integer.
  ///
  /// - Parameter count: The number of bits, at most 32.
  mutating func bits(_ count: Int, _ bytes: Span<UInt8>) -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let bit = bit(bytes) else { return nil }
      value = value << 1 | bit
    }
    return value
  }

  /// Reads an Exp-Golomb code (ITU-T H.264, section 9.1). AV1 uses the same code.
  mutating func unsigned(_ bytes: Span<UInt8>) -> UInt32? {
    var zeros = 0
    while true {
      guard let bit = bit(bytes) else { return nil }
      if bit == 1 { break }
      zeros += 1
      guard zeros < 32 else { return nil }
    }
    guard let rest = bits(zeros, bytes) else { return nil }
    return (UInt32(1) << UInt32(zeros)) - 1 + rest
  }

  mutating func signed(_ bytes: Span<UInt8>) -> Int32? {
    guard let code = unsigned(bytes) else { return nil }
    let magnitude = Int32(truncatingIfNeeded: (UInt64(code) + 1) / 2)
    return code & 1 == 1 ? magnitude : -magnitude
  }

  private mutating func advance(_ bytes: Span<UInt8>) -> Bool {
    if skipsEmulationPrevention, zeros >= 2, offset < bytes.count, bytes[offset] == 3 {
      offset += 1
      zeros = 0
    }
    guard offset < bytes.count else { return false }
    current = bytes[offset]
    zeros = current == 0 ? zeros + 1 : 0
    offset += 1
    bitsLeft = 8
    return true
  }
}
