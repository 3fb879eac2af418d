/// The HTTP address of an installation: a scheme, a host and an optional port.
struct PublicURL: Hashable, Sendable {
  /// Whether the scheme is `https`.
  let isSecure: Bool

  /// The host and the optional port, as given.
  let authority: String

  /// Reads `http://HOST[:PORT]` or `https://HOST[:PORT]`, with or without a final slash; otherwise
  /// returns `nil`.
  init?(_ text: String) {
    guard let separator = text.firstRange(of: "://") else { return nil }
    let rest = text[separator.upperBound...]
    let authority = String(rest.hasSuffix("/") ? rest.dropLast() : rest)
    switch text[..<separator.lowerBound].lowercased() {
    case "http": self.init(authority: authority, isSecure: false)
    case "https": self.init(authority: authority, isSecure: true)
    default: return nil
    }
  }

  /// Reads the value of a `Host` header: a host name or an address, with an optional port. Returns
  /// `nil` for any other text.
  init?(authority: String, isSecure: Bool) {
    guard Self.isValid(authority) else { return nil }
    self.authority = authority
    self.isSecure = isSecure
  }

  /// The URL without a final slash.
  var text: String { http("") }

  /// The host without its port. An IPv6 address keeps its brackets.
  var host: String { String(Self.split(authority).host) }

  /// Returns the `http` or `https` URL of a path. The path begins with a slash.
  func http(_ path: String) -> String { "\(isSecure ? "https" : "http")://\(authority)\(path)" }

  /// Returns the `ws` or `wss` URL of a path. The path begins with a slash.
  func webSocket(_ path: String) -> String { "\(isSecure ? "wss" : "ws")://\(authority)\(path)" }

  private static func split(_ authority: String) -> (host: Substring, port: Substring?) {
    guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else {
      return (authority[...], nil)
    }
    return (authority[..<colon], authority[authority.index(after: colon)...])
  }

  private static func isValid(_ authority: String) -> Bool {
    let (host, port) = split(authority)
    if let port {
      guard port.utf8.allSatisfy(isDigit), let number = Int(port), (1...65_535).contains(number)
      else { return false }
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      let address = host.dropFirst().dropLast()
      return (2...45).contains(address.utf8.count) && address.utf8.allSatisfy(isAddressByte)
    }
    return (1...253).contains(host.utf8.count) && host.utf8.allSatisfy(isNameByte)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Returns whether a byte may appear in an IPv6 address (RFC 3986, §3.2.2).
  private static func isAddressByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
      || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }

  /// Returns whether a byte may appear in a host name or an IPv4 address.
  ///
  /// Underscores are valid, because names of containers contain them.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
  }
}
