/// Percent-encoding for signatures (RFC 3986, section 2): every text has one encoded form.
///
/// Foundation encodes only valid text, but a request to verify may contain any bytes.
enum PercentEncoded {
  /// Encodes every byte as `%XX` with upper-case digits, except the unreserved bytes.
  ///
  /// - Parameter keepingSlash: Whether to leave slashes unencoded.
  static func text(of bytes: some Sequence<UInt8>, keepingSlash: Bool) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      if isUnreserved(byte) || keepingSlash && byte == UInt8(ascii: "/") {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Decodes a text. Leaves a percent sign unchanged unless two hexadecimal digits follow it.
  static func bytes(of encoded: Substring.UTF8View) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(encoded)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let high = value(of: rest[rest.startIndex]), let low = value(of: rest[rest.startIndex + 1])
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func value(of digit: UInt8) -> UInt8? {
    Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
