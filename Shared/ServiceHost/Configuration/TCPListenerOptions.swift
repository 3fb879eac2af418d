public import ArgumentParser
public import ZeroMQ

/// The flags of a service for clients over tcp.
///
/// Connections are encrypted (zmq_curve(7)), unless they remain on this machine or the operator
/// disables encryption.
public struct TCPListenerOptions: ParsableArguments {
  @Option(
    help:
      """
      Also accept clients over tcp at HOST:PORT. Beyond loopback, CURVE encrypts the connections; \
      see --curve and --insecure-listen.
      """)
  var listenTcp: String?

  /// The number of ports to try, starting at the given port. The service uses the first free port.
  @Option(
    help:
      """
      Number of ports to try, 1-100. The service tries ports in order, from the configured port, \
      and takes the first free port. Several instances on one machine need this. --udp-port of \
      media does not use it.
      """)
  public var portAttempts = 1

  @Flag(help: "Also encrypt connections to --listen-tcp on loopback.")
  var curve = false

  @Flag(
    help:
      """
      Allow tcp clients without CURVE, and REST without TLS, beyond loopback. These connections \
      are not encrypted, and the tcp connections are not authenticated.
      """)
  public var insecureListen = false

  public init() {}

  public func validate() throws {
    guard !curve || listenTcp != nil else {
      throw ValidationError("--curve needs --listen-tcp; set it to HOST:PORT.")
    }
    guard !curve || !insecureListen else {
      throw ValidationError("--curve and --insecure-listen contradict each other; set only one.")
    }
    try Self.check(portAttempts, 1...100, "--port-attempts")
    _ = try endpoint()
  }

  /// Returns the tcp endpoint for clients, with the first free port; `nil` if the flag is not set.
  ///
  /// - Throws: ``HostError/inUse(_:)`` when all of the ports are in use.
  public func place() throws -> Endpoint? {
    guard let endpoint = try endpoint() else { return nil }
    guard portAttempts > 1, case .tcp(let host, let port) = endpoint.transport else {
      return endpoint
    }
    return try .tcp(host: host, port: FreePort.first(of: portAttempts, from: Int(port)))
  }

  /// Returns the tcp endpoint for clients; `nil` if the flag is not set.
  public func endpoint() throws -> Endpoint? {
    guard let listenTcp else { return nil }
    do {
      return try Endpoint("tcp://" + listenTcp)
    } catch {
      throw ValidationError("--listen-tcp must be HOST:PORT; got \(listenTcp). \(error.message)")
    }
  }

  /// Whether tcp connections must be encrypted.
  public var isEncrypted: Bool {
    guard let endpoint = try? endpoint() else { return false }
    return curve || (!endpoint.isLoopback && !insecureListen)
  }
}
