import MeetingModel

/// Where the REST face listens, and what it puts up with.
struct RESTSettings: Sendable {
  let host: String

  /// The port to listen on; 0 picks a free one.
  let port: Int

  /// Requests are taken unsigned.
  let allowsUnsigned: Bool

  /// Others than this machine can reach it.
  let isExposed: Bool

  /// It is served over TLS.
  let isSecure: Bool

  /// The largest body of a request, in bytes.
  var maxBody = 1_048_576

  /// A connection that is quiet for so long is closed, and so is one whose request is not complete
  /// this long after its first line.
  var timeout: Duration = .seconds(30)

  /// The most connections that are open at once; further ones wait to be accepted. What
  /// ``maxClients`` leaves of the files that the process may open bounds it too.
  var maxConnections = 16_384

  /// How many clients over ZeroMQ the same process may have.
  var maxClients = 65_536

  /// The most of them from one address; further ones are closed.
  var maxConnectionsPerAddress = 1_024

  /// - Parameter mayBePlain: It may be reached by others without TLS.
  /// - Throws: `invalidArgument` if the host is not this machine and `mayBePlain` is not set, or
  ///   for a port that is none; the message names the flag.
  init(
    host: String = "127.0.0.1", port: Int = 8080, allowsUnsigned: Bool = false,
    mayBePlain: Bool = false, isSecure: Bool = false
  ) throws(Status) {
    guard (0...65_535).contains(port) else {
      throw Status(.invalidArgument, "The REST port must be 0-65535; got \(port).")
    }
    isExposed = !Self.isLoopback(host)
    guard !isExposed || mayBePlain || isSecure else {
      throw Status(
        .invalidArgument,
        "Without --tls-certificate-file REST is plain HTTP, whose answers have join tokens, so it "
          + "may listen on this machine only; got \(host). Use TLS, or 127.0.0.1, or "
          + "--rest-without-tls behind a proxy that has it.")
    }
    guard !isExposed || !allowsUnsigned else {
      throw Status(
        .invalidArgument,
        "--allow-unsigned is for this machine only, and --rest-host is \(host). Make a key with "
          + "carillon keys create, and have requests signed.")
    }
    self.host = host
    self.port = port
    self.allowsUnsigned = allowsUnsigned
    self.isSecure = isSecure
  }

  /// The URL by which this machine reaches it.
  var localURL: PublicURL? { localURL(port: port) }

  /// The URL by which this machine reaches it on the port that it has got.
  func localURL(port: Int) -> PublicURL? {
    let isEverything = host == "0.0.0.0" || host == "::" || host.isEmpty
    let name = isEverything ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
    return PublicURL(authority: "\(name):\(port)", isSecure: isSecure)
  }

  /// Whether a host is this machine for sure: `localhost`, `::1` or 127.0.0.0/8 (RFC 1122,
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
