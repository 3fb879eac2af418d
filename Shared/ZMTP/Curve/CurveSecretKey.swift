internal import CSodium

/// A key by which somebody proves who they are, and the public one that belongs to it
/// (26/CurveZMQ).
///
/// Descriptions do not show it, and its bytes are wiped with its last copy.
public struct CurveSecretKey: Sendable {
  /// What others may know.
  public let publicKey: CurvePublicKey

  let secret: CurveSecret

  /// Makes a new one of the system's randomness.
  public init() { self.init(from: CurveRandom.system) }

  /// - Returns: `nil` if there are not 32 of them. They are copied: wipe them yourself.
  public init?(bytes: [UInt8]) {
    guard bytes.count == CurveSecret.byteCount else { return nil }
    var copy = bytes
    self.init(CurveSecret(wiping: &copy))
  }

  /// Reads a key as libzmq and its tools write it (32/Z85).
  ///
  /// - Returns: `nil` if the text is no key.
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

  /// The key itself. Keep it as short as can be: what it is in is not wiped.
  public var bytes: [UInt8] {
    unsafe secret.withBytes { unsafe Array(UnsafeBufferPointer(start: $0, count: 32)) }
  }

  /// The key itself as text (32/Z85). Keep it as short as can be: what it is in is not wiped.
  public var z85: String { Z85.encode(bytes) }
}

extension CurveSecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Names the public key.
  public var description: String { "the secret key of \(publicKey)" }

  /// The same.
  public var debugDescription: String { description }

  /// Shows the public key only.
  public var customMirror: Mirror { Mirror(self, children: ["publicKey": publicKey]) }
}
