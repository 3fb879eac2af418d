import ZeroMQ

/// The context and keys that all CURVE tests of this module share. Several contexts with CURVE in
/// one process can crash libzmq 4.3.4.
enum CurveContext {
  /// The key of every socket of the context.
  static let caller = Result { try CurveKeyPair() }

  /// The key of the servers.
  static let server = Result { try CurveKeyPair() }

  static let shared = Result { try ZMQContext(identity: caller.get()) }
}
