import ZeroMQ

/// The context and keys that all CURVE tests of this module share. Several contexts with CURVE in
/// one process can crash libzmq 4.3.4.
enum CurveContext {
  /// Who every socket of the context is to those who serve.
  static let caller = Result { try SocketKeyPair() }

  /// The key of the servers.
  static let server = Result { try SocketKeyPair() }

  static let shared = Result { try Context(identity: caller.get()) }
}
