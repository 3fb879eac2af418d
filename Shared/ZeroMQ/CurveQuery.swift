/// What stands behind the port of an encrypted endpoint: `?curve=` and the public key of whoever
/// listens there as text (32/Z85), of which what means something in a URL is written `%XX`
/// (RFC 3986, §2.1).
enum CurveQuery {
  private static let name = "curve="

  /// The query of a key, with its question mark.
  static func text(of key: SocketKey) -> String {
    "?" + name + key.z85.map { isUnreserved($0) ? String(UnicodeScalar($0)) : escaped($0) }.joined()
  }

  /// The key that a query names.
  ///
  /// - Parameter query: What follows the question mark.
  /// - Returns: `nil` if it names none, or something else, too.
  static func key(in query: Substring) -> SocketKey? {
    guard query.hasPrefix(name), let text = unescaped(query.dropFirst(name.count)) else {
      return nil
    }
    return SocketKey(z85: text)
  }

  /// Whether a character needs no `%XX` anywhere in a URL.
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
