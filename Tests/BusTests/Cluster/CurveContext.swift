import ZeroMQ

/// What all tests of this module under CURVE share: several contexts with it in one process can
/// crash libzmq 4.3.4.
enum CurveContext {
  /// Who every socket of the context is to those who serve.
  static let caller = Result { try SocketKeyPair() }

  /// Who serves.
  static let server = Result { try SocketKeyPair() }

  static let shared = Result { try Context(identity: caller.get()) }
}
