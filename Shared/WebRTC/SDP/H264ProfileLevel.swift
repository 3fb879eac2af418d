/// The value of `profile-level-id` (RFC 6184, §8.1): three bytes in hexadecimal digits.
struct H264ProfileLevel {
  /// The profile (`profile_idc`), for example 66 for Baseline.
  let profile: UInt8
  /// The flags `constraint_set0_flag` to `constraint_set5_flag`, from the highest bit down, and two
  /// reserved bits.
  let constraints: UInt8
  /// The field `level_idc`: ten times the number of the level.
  let level: UInt8

  /// Returns `nil` unless the text is exactly six hexadecimal digits.
  init?(_ text: String) {
    guard text.utf8.count == 6, text.allSatisfy(\.isHexDigit), let value = UInt32(text, radix: 16)
    else { return nil }
    profile = UInt8(value >> 16)
    constraints = UInt8(value >> 8 & 0xFF)
    level = UInt8(value & 0xFF)
  }

  /// Whether the profile is Constrained Baseline (RFC 6184, table 5).
  ///
  /// This profile has three spellings: Baseline with `constraint_set1_flag`, Main with
  /// `constraint_set0_flag`, and Extended with both flags.
  var isConstrainedBaseline: Bool {
    switch profile {
    case 0x42: constraints & 0b0100_1111 == 0b0100_0000
    case 0x4D: constraints & 0b1000_1111 == 0b1000_0000
    case 0x58: constraints & 0b1100_1111 == 0b1100_0000
    default: false
    }
  }
}
