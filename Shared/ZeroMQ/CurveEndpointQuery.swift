/// The query of an encrypted endpoint: `?curve=` and the public key of the listening side (32/Z85).
///
/// The text contains reserved characters of URLs as `%XX` (RFC 3986, §2.1).
enum CurveEndpointQuery {
  private static let name = "curve="

  /// Returns the query of a key, including the question mark.
  static func text(of key: CurveKey) -> String {
    "?" + name + key.z85.map { isUnreserved($0) ? String(UnicodeScalar($0)) : escaped($0) }.joined()
  }

  /// Returns the key in a query.
  ///
  /// - Parameter query: The text after the question mark.
  /// - Returns: `nil` if the query contains no valid key, or if the query contains anything else.
  static func key(in query: Substring) -> CurveKey? {
    guard query.hasPrefix(name), let text = unescaped(query.dropFirst(name.count)) else {
      return nil
    }
    return CurveKey(z85: text)
  }

  /// Returns whether a character needs no `%XX` in any part of a URL.
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func escaped(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.utf8.count == 1 ? "%0" + digits : "%" + digits
  }

  private static func unescaped(_ text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      guard digits.count == 2, digits.first != UInt8(ascii: "+"),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
