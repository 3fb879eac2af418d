import RTP

/// Converts picture ids that wrap to numbers that do not wrap.
struct PictureUnwrapper: Sendable {
  private var highest: Int64?

  mutating func unwrap(_ picture: PictureID) -> Int64 {
    guard let highest else {
      self.highest = Int64(picture.value)
      return Int64(picture.value)
    }
    let modulus = Int64(picture.modulus)
    // Several picture numbers have this id, because ids wrap around. The result is the number
    // nearest to the highest number so far.
    var distance = (Int64(picture.value) - highest) % modulus
    if distance < 0 { distance += modulus }
    if distance >= modulus / 2 { distance -= modulus }
    self.highest = max(highest, highest + distance)
    return highest + distance
  }
}
