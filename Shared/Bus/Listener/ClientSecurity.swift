public import ZMTP
public import ZeroMQ

extension ZMTPSecurity {
  /// How a service that owns this key is connected to over tcp; not secured without one.
  ///
  /// Any client's key is welcome: a client proves who it is by its join token or its ticket, and
  /// the key keeps those from whoever listens in.
  public static func ofClients(servedBy key: CurveSecretKey?) -> ZMTPSecurity {
    key.map { .curveServer(secretKey: $0, isWelcome: { _ in true }) } ?? .null
  }
}

extension Endpoint {
  /// The same tcp port, encrypted for the owner of a key; other transports stay as they are.
  public func encrypted(for key: CurvePublicKey) -> Endpoint {
    guard let key = SocketKey(key.bytes) else { preconditionFailure("A key has 32 bytes.") }
    return encrypted(for: key)
  }
}
