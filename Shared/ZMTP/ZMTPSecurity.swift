/// How a connection is secured (37/ZMTP, "Security mechanisms"). Both sides must want the same.
public enum ZMTPSecurity: Sendable {
  /// Not at all.
  case null

  /// Encrypted, with clients whose keys are welcome (26/CurveZMQ).
  ///
  /// `isWelcome` is asked for each client that has proved that it owns its key, on the thread that
  /// called `receive`; one that is not hears `400`, as from libzmq.
  case curveServer(
    secretKey: CurveSecretKey, isWelcome: @Sendable (_ publicKey: CurvePublicKey) -> Bool)

  /// Encrypted, with the one server that owns a key (26/CurveZMQ).
  case curveClient(serverKey: CurvePublicKey, secretKey: CurveSecretKey)

  /// The mechanism's name in a greeting.
  var name: StaticString {
    switch self {
    case .null: "NULL"
    case .curveServer, .curveClient: "CURVE"
    }
  }

  var isNull: Bool {
    switch self {
    case .null: true
    case .curveServer, .curveClient: false
    }
  }

  var isServer: Bool {
    switch self {
    case .curveServer: true
    case .null, .curveClient: false
    }
  }
}
