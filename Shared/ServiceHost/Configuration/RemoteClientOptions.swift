public import ArgumentParser
public import ZeroMQ

/// Flags of a service that lets clients in over tcp, which is encrypted (zmq_curve(7)) unless it is
/// this machine's own or the operator says otherwise.
public struct RemoteClientOptions: ParsableArguments {
  @Option(
    help:
      """
      Let clients in over tcp too, HOST:PORT. Encrypted by CURVE beyond loopback; see --curve and \
      --insecure-listen.
      """)
  var listenTcp: String?

  /// How many ports are tried, from the given one on; the first free one is taken.
  @Option(
    help:
      """
      Take the first free one of so many ports from the given one on, 1-100: for several instances \
      on one machine.
      """)
  public var ports = 1

  @Flag(help: "Encrypt what --listen-tcp lets in on loopback, too.")
  var curve = false

  @Flag(
    help:
      """
      Let plain tcp, and REST without TLS, listen beyond loopback. Nothing is encrypted then, and \
      tcp is not authenticated.
      """)
  public var insecureListen = false

  public init() {}

  public func validate() throws {
    guard !curve || listenTcp != nil else {
      throw ValidationError("--curve is about --listen-tcp; give that, too.")
    }
    guard !curve || !insecureListen else {
      throw ValidationError("--curve and --insecure-listen contradict each other; give one.")
    }
    try Self.check(ports, 1...100, "--ports")
    _ = try endpoint()
  }

  /// Where clients are let in over tcp from now on: the first port that is free; `nil` if they are
  /// not.
  ///
  /// - Throws: ``HostError/configuration(_:)`` when all are taken.
  public func place() throws -> Endpoint? {
    guard let endpoint = try endpoint() else { return nil }
    guard ports > 1, case .tcp(let host, let port) = endpoint.transport else { return endpoint }
    return try .tcp(host: host, port: FreePort.first(of: ports, from: Int(port)))
  }

  /// Where clients are let in over tcp; `nil` if they are not.
  public func endpoint() throws -> Endpoint? {
    guard let listenTcp else { return nil }
    do {
      return try Endpoint("tcp://" + listenTcp)
    } catch {
      throw ValidationError("--listen-tcp must be HOST:PORT; got \(listenTcp). \(error.message)")
    }
  }

  /// Whether what comes over tcp must be encrypted.
  public var isEncrypted: Bool {
    guard let endpoint = try? endpoint() else { return false }
    return curve || (!endpoint.isLoopback && !insecureListen)
  }
}
