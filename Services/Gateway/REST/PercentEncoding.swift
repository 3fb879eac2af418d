/// Percent-encoding as in RFC 3986, §2.1; a plus sign is a plus sign.
enum PercentEncoding {
  /// The text that `encoded` stands for; `nil` if an escape is no two hexadecimal digits, or the
  /// bytes are no UTF-8 or hold a NUL.
  static func decode(_ encoded: some StringProtocol) -> String? {
    guard encoded.utf8.contains(UInt8(ascii: "%")) else { return String(encoded) }
    var bytes: [UInt8] = []
    var rest = Array(encoded.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = digit(rest.popFirst()), let low = digit(rest.popFirst()) else { return nil }
      bytes.append(high << 4 | low)
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8?) -> UInt8? {
    byte.flatMap { Character(Unicode.Scalar($0)).hexDigitValue }.map { UInt8($0) }
  }
}
