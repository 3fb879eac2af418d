internal import CZeroMQ

/// A secret key of a socket and the public one that belongs to it (zmq_curve_keypair(3)).
struct SocketKeyPair {
  let publicKey: SocketKey
  let secretKey: SocketKey

  /// Makes a new pair of the system's randomness.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` if libzmq was built without CURVE.
  init() throws(ZeroMQError) {
    // As text, with a NUL at the end.
    var texts = (
      publicKey: [CChar](repeating: 0, count: SocketKey.z85Count + 1),
      secretKey: [CChar](repeating: 0, count: SocketKey.z85Count + 1)
    )
    guard unsafe zmq_curve_keypair(&texts.publicKey, &texts.secretKey) == 0 else {
      throw .failed(operation: "Making a pair of keys", code: zmq_errno())
    }
    guard let publicKey = SocketKey(z85: texts.publicKey.dropLast().map { UInt8($0) }),
      let secretKey = SocketKey(z85: texts.secretKey.dropLast().map { UInt8($0) })
    else { preconditionFailure("zmq_curve_keypair(3) makes keys in Z85.") }
    (self.publicKey, self.secretKey) = (publicKey, secretKey)
  }
}
