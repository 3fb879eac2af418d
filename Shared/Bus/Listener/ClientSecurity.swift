public import ZMTP
public import ZeroMQ

extension ZMTPSecurity {
  /// Returns the tcp security of a service that owns this key; no encryption if there is no key.
  ///
  /// A client proves its identity by its join token or its ticket. The encryption protects tokens
  /// and tickets from eavesdroppers. So the service accepts any client's key, unless `admission`
  /// restricts the clients.
  public static func ofClients(
    servedBy key: CurveSecretKey?, letting admission: KeyAdmission? = nil
  ) -> ZMTPSecurity {
    guard let key else { return .null }
    return .curveServer(
      secretKey: key,
      isWelcome: { client in
        guard let admission, let client = CurveKey(client.bytes) else { return true }
        return admission.welcomes(client: client)
      })
  }
}

extension Endpoint {
  /// Returns this tcp endpoint with encryption for the owner of a key. Returns an endpoint of
  /// another transport unchanged.
  public func encrypted(for key: CurvePublicKey) -> Endpoint {
    guard let key = CurveKey(key.bytes) else { preconditionFailure("A key has 32 bytes.") }
    return encrypted(for: key)
  }
}
