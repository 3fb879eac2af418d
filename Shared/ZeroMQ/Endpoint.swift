/// An address to bind or connect to: a Unix socket, a TCP port, or a name in this process.
///
/// An endpoint is always well formed, so libzmq accepts its address unchanged.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
  /// The three transports with their addresses.
  public enum Transport: Hashable, Sendable {
    /// A Unix socket.
    ///
    /// The path has 1–107 bytes (unix(7)).
    case ipc(path: String)
    /// A TCP port.
    ///
    /// The host is a name, an address without brackets, or `*` for every interface. At port 0, the
    /// system chooses the port when a socket binds.
    case tcp(host: String, port: UInt16)
    /// A name within one context.
    case inproc(name: String)
  }

  /// The maximum number of bytes in the path of an ipc endpoint: `sun_path` of unix(7) without its
  /// final NUL.
  public static let maximumPathLength = 107

  /// The transport and its parts.
  public let transport: Transport

  /// The public key of the listening side. With this key, the connection is encrypted
  /// (zmq_curve(7)).
  ///
  /// The key is `nil` if the connection is not encrypted. Only tcp endpoints have a key.
  public let serverKey: CurveKey?

  /// Returns the endpoint of a Unix socket at `path`.
  ///
  /// - Throws: ``ZeroMQError/invalidEndpoint(_:reason:)`` when the path is empty or too long, or
  ///   when libzmq would read the path as a wildcard (`*`) or an abstract name (`@…`).
  public static func ipc(_ path: String) throws(ZeroMQError) -> Endpoint {
    let text = "ipc://\(path)"
    guard !path.isEmpty, path != "*", !path.hasPrefix("@"), !path.utf8.contains(0) else {
      throw .invalidEndpoint(text, reason: "give the path of a file, as in ipc:///run/x.sock.")
    }
    guard path.utf8.count <= maximumPathLength else {
      throw .invalidEndpoint(
        text,
        reason: "the path has \(path.utf8.count) bytes and may have \(maximumPathLength); "
          + "choose a shorter directory.")
    }
    return Endpoint(transport: .ipc(path: path))
  }

  /// Returns the endpoint of a TCP port.
  ///
  /// - Parameter host: A host name, an address (IPv6 with or without brackets) or `*`.
  ///
  /// - Throws: ``ZeroMQError/invalidEndpoint(_:reason:)`` when the host is malformed or the port
  ///   is not in 0–65535.
  public static func tcp(host: String, port: Int) throws(ZeroMQError) -> Endpoint {
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let bare = isBracketed ? String(host.dropFirst().dropLast()) : host
    guard isHost(bare) else {
      throw .invalidEndpoint(
        "tcp://\(host):\(port)",
        reason: "the host is malformed; write a host name or an IP address.")
    }
    guard let port = UInt16(exactly: port) else {
      throw .invalidEndpoint("tcp://\(host):\(port)", reason: "the port must be 0-65535.")
    }
    return Endpoint(transport: .tcp(host: bare, port: port))
  }

  /// Returns the endpoint of a name within one context, for sockets of the same process.
  ///
  /// - Throws: ``ZeroMQError/invalidEndpoint(_:reason:)`` unless the name has 1–200 bytes.
  public static func inproc(_ name: String) throws(ZeroMQError) -> Endpoint {
    guard (1...200).contains(name.utf8.count), !name.utf8.contains(0) else {
      throw .invalidEndpoint("inproc://\(name)", reason: "the name must have 1-200 bytes.")
    }
    return Endpoint(transport: .inproc(name: name))
  }

  private init(transport: Transport, serverKey: CurveKey? = nil) {
    (self.transport, self.serverKey) = (transport, serverKey)
  }

  /// Returns this tcp endpoint with encryption by a server's key. Returns an endpoint of another
  /// transport unchanged.
  public func encrypted(for serverKey: CurveKey) -> Endpoint {
    guard case .tcp = transport else { return self }
    return Endpoint(transport: transport, serverKey: serverKey)
  }

  /// Parses `ipc://PATH`, `tcp://HOST:PORT`, `tcp://HOST:PORT?curve=KEY` or `inproc://NAME`.
  ///
  /// The key has 40 characters (32/Z85). The text contains reserved characters of URLs as `%XX`.
  ///
  /// - Throws: ``ZeroMQError/invalidEndpoint(_:reason:)``.
  public init(_ text: String) throws(ZeroMQError) {
    if let path = Self.remainder(of: text, after: "ipc://") {
      self = try .ipc(path)
    } else if let address = Self.remainder(of: text, after: "tcp://") {
      self = try Self.tcp(address: address, text: text)
    } else if let name = Self.remainder(of: text, after: "inproc://") {
      self = try .inproc(name)
    } else {
      throw .invalidEndpoint(text, reason: "it must begin with ipc://, tcp:// or inproc://.")
    }
  }

  private static func tcp(address: String, text: String) throws(ZeroMQError) -> Endpoint {
    if let mark = address.firstIndex(of: "?") {
      guard let key = CurveEndpointQuery.key(in: address[address.index(after: mark)...]) else {
        throw .invalidEndpoint(
          text, reason: "only ?curve= and a key of 40 characters (Z85) may follow the port.")
      }
      return try tcp(address: String(address[..<mark]), text: text).encrypted(for: key)
    }
    guard let colon = address.lastIndex(of: ":") else {
      throw .invalidEndpoint(text, reason: "the port is missing; write tcp://HOST:PORT.")
    }
    let host = address[..<colon]
    let digits = address[address.index(after: colon)...]
    guard !host.contains(":") || host.hasPrefix("[") else {
      throw .invalidEndpoint(text, reason: "put brackets around an IPv6 address.")
    }
    guard digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
      let port = Int(digits)
    else {
      throw .invalidEndpoint(text, reason: "the port must be 0-65535; 0 lets the system choose.")
    }
    return try tcp(host: String(host), port: port)
  }

  private static func remainder(of text: String, after prefix: String) -> String? {
    text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
  }

  private static func isHost(_ host: String) -> Bool {
    if host == "*" { return true }
    return !host.isEmpty && host.utf8.count <= 253
      && host.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
          UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "%"):
          true
        default: false
        }
      }
  }

  /// The text that ``init(_:)`` parses.
  public var text: String { address + (serverKey.map { CurveEndpointQuery.text(of: $0) } ?? "") }

  /// The address in libzmq's syntax, without a key.
  var address: String {
    switch transport {
    case .ipc(let path): "ipc://\(path)"
    case .tcp(let host, let port): "tcp://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    case .inproc(let name): "inproc://\(name)"
    }
  }

  public var description: String { text }

  /// Whether the endpoint's traffic never leaves this machine.
  ///
  /// The value is true for ipc, inproc, and tcp to `localhost`, 127.0.0.0/8 or `::1`.
  public var isLoopback: Bool {
    switch transport {
    case .ipc, .inproc: true
    case .tcp(let host, _):
      host.lowercased() == "localhost" || host == "::1" || Self.isIPv4Loopback(host)
    }
  }

  private static func isIPv4Loopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil } && UInt8(parts[0]) == 127
  }

  /// Whether libzmq needs `ZMQ_IPV6` for this address.
  var isIPv6: Bool {
    if case .tcp(let host, _) = transport { host.contains(":") } else { false }
  }
}
