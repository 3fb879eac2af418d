/// Hexadecimal digits as ASCII bytes.
enum Hexadecimal {
  /// Returns the value of a digit in either case, or `nil` for any other byte.
  static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Returns whether digits and hyphens contain an upper-case digit.
  static func hasUpperCase(_ digits: Span<UInt8>) -> Bool {
    // Among these bytes, only letters have the bit 0x40. Lower-case letters also have the bit 0x20.
    for index in digits.indices where digits[index] & 0x60 == 0x40 { return true }
    return false
  }

  /// Returns the lower-case digit for the low four bits of `value`.
  static func digit(_ value: UInt8) -> UInt8 {
    let nibble = value & 0xF
    return nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }
}
