import RTP

/// Converts wrapping picture ids into numbers that do not wrap.
struct PictureUnwrapper: Sendable {
  private var highest: Int64?

  mutating func unwrap(_ picture: PictureID) -> Int64 {
    unwrap(picture.value, modulus: Int64(picture.modulus))
  }

  /// Converts the 16-bit frame number of a dependency descriptor.
  mutating func unwrap(_ descriptor: DependencyDescriptor) -> Int64 {
    unwrap(descriptor.frameNumber, modulus: 1 << 16)
  }

  private mutating func unwrap(_ number: UInt16, modulus: Int64) -> Int64 {
    guard let highest else {
      self.highest = Int64(number)
      return Int64(number)
    }
    // Several picture numbers have this id, because ids wrap around. The result is the number
    // nearest to the highest number so far.
    var distance = (Int64(number) - highest) % modulus
    if distance < 0 { distance += modulus }
    if distance >= modulus / 2 { distance -= modulus }
    self.highest = max(highest, highest + distance)
    return highest + distance
  }
}
