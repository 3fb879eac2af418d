import MeetingModel

/// The address of the REST interface, and its limits.
struct RESTSettings: Sendable {
  let host: String

  /// The port to listen on. If the port is 0, the system chooses a free port.
  let port: Int

  /// Whether the gateway accepts unsigned requests.
  let allowsUnsigned: Bool

  /// Whether other machines can reach the interface.
  let isExposed: Bool

  /// Whether the interface uses TLS.
  let isSecure: Bool

  /// The largest body of a request, in bytes.
  var maxBody = 1_048_576

  /// How long a connection may be silent before the gateway closes it. Also the maximum time from
  /// the first line of a request to the end of this request.
  var timeout: Duration = .seconds(30)

  /// The maximum number of open connections. The server accepts further connections only after open
  /// connections have closed.
  ///
  /// ``maxClients`` and the process's limit of open files may lower this bound.
  var maxConnections = 16_384

  /// The maximum number of ZeroMQ clients of the same process.
  var maxClients = 65_536

  /// The maximum number of connections from one address. The gateway closes further connections.
  var maxConnectionsPerAddress = 1_024

  /// - Parameter mayBePlain: Whether other machines may reach the interface without TLS.
  /// - Throws: `invalidArgument` in three cases: the host is not this machine, and neither
  ///   `mayBePlain` nor `isSecure` is set; the settings allow unsigned requests although the host
  ///   is not this machine; the port is invalid. The message contains the name of the invalid
  ///   option.
  init(
    host: String = "127.0.0.1", port: Int = 8080, allowsUnsigned: Bool = false,
    mayBePlain: Bool = false, isSecure: Bool = false
  ) throws(Status) {
    guard (0...65_535).contains(port) else {
      throw Status(.invalidArgument, "--rest-port must be 0-65535; got \(port).")
    }
    isExposed = !Self.isLoopback(host)
    guard !isExposed || mayBePlain || isSecure else {
      throw Status(
        .invalidArgument,
        """
        Without --tls-certificate-file, REST is plain HTTP, and its answers contain join tokens, \
        so --rest-host must be an address of this machine only, such as 127.0.0.1; got \(host). \
        Use TLS, or --rest-without-tls behind a proxy that has TLS.
        """)
    }
    guard !isExposed || !allowsUnsigned else {
      throw Status(
        .invalidArgument,
        """
        --allow-unsigned works on this machine only, and --rest-host is \(host). Create a key \
        with carillon keys create, and sign the requests.
        """)
    }
    self.host = host
    self.port = port
    self.allowsUnsigned = allowsUnsigned
    self.isSecure = isSecure
  }

  /// Returns the URL under which programs on this machine reach the interface at the given port;
  /// `nil` if ``host`` is neither a host name nor an address.
  ///
  /// The port differs from ``port`` if the system has chosen the port.
  func localURL(port: Int) -> PublicURL? {
    let isEverything = host == "0.0.0.0" || host == "::" || host.isEmpty
    let name = isEverything ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
    return PublicURL(authority: "\(name):\(port)", isSecure: isSecure)
  }

  /// Returns whether a host is certainly this machine: `localhost`, `::1` or 127.0.0.0/8 (RFC 1122,
  /// §3.2.1.3).
  static func isLoopback(_ host: String) -> Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in
        (1...3).contains(part.utf8.count) && UInt8(part) != nil
          && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }
}
