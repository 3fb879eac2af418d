/// Encodes four bytes as five characters (32/Z85).
enum Z85 {
  private static let alphabet = Array(
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#".utf8)

  /// Encodes bytes.
  ///
  /// - Parameter bytes: The bytes; their number is a multiple of four.
  static func encode(_ bytes: [UInt8]) -> String {
    precondition(bytes.count.isMultiple(of: 4), "Z85 encodes four bytes at a time.")
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 4) {
      let value = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      for divisor in [52_200_625, 614_125, 7_225, 85, 1] {
        text.append(alphabet[value / divisor % 85])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes a text.
  ///
  /// - Returns: `nil` for a malformed text.
  static func decode(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { alphabet.firstIndex(of: $0) }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 5) else { return nil }
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: digits.count, by: 5) {
      let value = digits[start..<start + 5].reduce(0) { $0 * 85 + $1 }
      guard let value = UInt32(exactly: value) else { return nil }
      for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
    return bytes
  }
}
