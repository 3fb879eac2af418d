/// The address of an HTTP server.
package enum HTTPAddress: Hashable, Sendable {
  case tcp(host: String, port: UInt16)
  case unixSocket(path: String)

  /// Parses `http://HOST:PORT`, with or without a final slash; `nil` for anything else.
  package init?(url: String) {
    guard url.hasPrefix("http://") else { return nil }
    var authority = url.dropFirst("http://".count)
    if authority.hasSuffix("/") { authority.removeLast() }
    let (host, port): (Substring, Substring) =
      if let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") {
        (authority[..<colon], authority[authority.index(after: colon)...])
      } else {
        (authority, "80")
      }
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let name = isBracketed ? host.dropFirst().dropLast() : host
    guard let port = UInt16(port), port > 0, !name.isEmpty,
      !name.contains(where: { $0 == "/" || $0 == "@" || $0.isWhitespace })
    else { return nil }
    self = .tcp(host: String(name), port: port)
  }

  /// The value of the `Host` header.
  package var host: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unixSocket: "localhost"
    }
  }
}
