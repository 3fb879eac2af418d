internal import CZeroMQ

/// A secret key of a socket and its public key (zmq_curve_keypair(3)).
///
/// Descriptions contain the public key only.
public struct CurveKeyPair: Hashable, Sendable {
  /// The public key, which others may know.
  public let publicKey: CurveKey

  /// The secret key, which only its owner may know.
  public let secretKey: CurveKey

  /// Creates a new pair from the system's random numbers.
  ///
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` if libzmq has no CURVE.
  public init() throws(ZeroMQError) {
    // The keys are texts, each with a NUL at the end.
    var texts = (
      publicKey: [CChar](repeating: 0, count: CurveKey.z85Count + 1),
      secretKey: [CChar](repeating: 0, count: CurveKey.z85Count + 1)
    )
    guard unsafe zmq_curve_keypair(&texts.publicKey, &texts.secretKey) == 0 else {
      throw .failed(operation: "Making a pair of keys", code: zmq_errno())
    }
    guard let publicKey = CurveKey(z85: texts.publicKey.dropLast().map { UInt8($0) }),
      let secretKey = CurveKey(z85: texts.secretKey.dropLast().map { UInt8($0) })
    else { preconditionFailure("zmq_curve_keypair(3) makes keys in Z85.") }
    (self.publicKey, self.secretKey) = (publicKey, secretKey)
  }

  /// Creates the pair of a stored secret key (32/Z85).
  ///
  /// - Returns: `nil` if the text is not a key.
  public init?(secretText text: String) {
    guard let secretKey = CurveKey(text: text) else { return nil }
    var publicText = [CChar](repeating: 0, count: CurveKey.z85Count + 1)
    let secretText = secretKey.z85.map { CChar(bitPattern: $0) } + [0]
    guard unsafe zmq_curve_public(&publicText, secretText) == 0,
      let publicKey = CurveKey(z85: publicText.dropLast().map { UInt8(bitPattern: $0) })
    else { return nil }
    (self.publicKey, self.secretKey) = (publicKey, secretKey)
  }

  /// The secret key as text (32/Z85). Store the text where no other user can read it.
  public var secretText: String { secretKey.text }
}

extension CurveKeyPair: CustomStringConvertible, CustomReflectable {
  /// A text with the public key.
  public var description: String { "the keys of \(publicKey.text)" }

  /// A mirror that shows the public key only.
  public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey.text]) }
}
