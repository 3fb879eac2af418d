internal import CSodium

/// A secret key that proves the identity of its owner, and the corresponding public key
/// (26/CurveZMQ).
///
/// Descriptions do not show the key. The release of the last copy wipes the key's bytes.
public struct CurveSecretKey: Sendable {
  /// The public key, which others may know.
  public let publicKey: CurvePublicKey

  let secret: CurveSecret

  /// Creates a key from the system's random numbers.
  public init() { self.init(from: CurveRandom.system) }

  /// Creates a key from a copy of bytes. The caller must wipe its own bytes.
  ///
  /// - Returns: `nil` unless there are 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == CurveSecret.byteCount else { return nil }
    var copy = bytes
    self.init(CurveSecret(wiping: &copy))
  }

  /// Parses a key in the format of libzmq and its tools (32/Z85).
  ///
  /// - Returns: `nil` if the text is not a key.
  public init?(z85 text: String) {
    guard var bytes = Z85.decode(text), bytes.count == CurveSecret.byteCount else { return nil }
    self.init(CurveSecret(wiping: &bytes))
  }

  init(from random: CurveRandom.Source) {
    var bytes = random(CurveSecret.byteCount)
    self.init(CurveSecret(wiping: &bytes))
  }

  private init(_ secret: CurveSecret) {
    CurveRandom.prepare()
    self.secret = secret
    var bytes = [UInt8](repeating: 0, count: CurvePublicKey.byteCount)
    let result = unsafe secret.withBytes { unsafe crypto_scalarmult_base(&bytes, $0) }
    guard result == 0, let key = CurvePublicKey(bytes: bytes) else {
      preconditionFailure("A secret key has a public key.")
    }
    publicKey = key
  }

  /// The secret bytes. Nothing wipes the returned array, so drop the array as early as possible.
  public var bytes: [UInt8] {
    unsafe secret.withBytes { unsafe Array(UnsafeBufferPointer(start: $0, count: 32)) }
  }

  /// The secret key as text (32/Z85). Nothing wipes the returned text, so drop the text as early as
  /// possible.
  public var z85: String { Z85.encode(bytes) }
}

extension CurveSecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A text with the public key.
  public var description: String { "the secret key of \(publicKey)" }

  /// The same text as ``description``.
  public var debugDescription: String { description }

  /// A mirror that shows the public key only.
  public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}
