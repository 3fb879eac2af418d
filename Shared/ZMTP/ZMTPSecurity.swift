/// The security of a connection (37/ZMTP, "Security mechanisms"). Both sides must use the same
/// security.
public enum ZMTPSecurity: Sendable {
  /// No security.
  case null

  /// Encryption as a server that admits clients by their keys (26/CurveZMQ).
  ///
  /// The connection calls `isWelcome` for each client that has proved its key, on the thread that
  /// called `receive`. A rejected client receives `400`, as from libzmq.
  case curveServer(
    secretKey: CurveSecretKey, isWelcome: @Sendable (_ publicKey: CurvePublicKey) -> Bool)

  /// Encryption as a client that connects only to the server with this key (26/CurveZMQ).
  case curveClient(serverKey: CurvePublicKey, secretKey: CurveSecretKey)

  /// The name of the mechanism in a greeting.
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
