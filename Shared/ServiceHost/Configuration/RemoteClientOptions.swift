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
    _ = try endpoint()
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
