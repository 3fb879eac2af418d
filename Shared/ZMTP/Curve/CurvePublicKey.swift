/// A public key that identifies its owner (26/CurveZMQ): 32 bytes, 40 characters as text.
public struct CurvePublicKey: Hashable, Sendable {
  /// The number of bytes of a key.
  public static let byteCount = 32

  /// The bytes of the key.
  public let bytes: [UInt8]

  /// Creates a key.
  ///
  /// - Returns: `nil` unless there are 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Parses a key in the format of libzmq and its tools (32/Z85).
  ///
  /// - Returns: `nil` if the text is not a key.
  public init?(z85 text: String) {
    guard let bytes = Z85.decode(text) else { return nil }
    self.init(bytes: bytes)
  }

  /// The key as text (32/Z85).
  public var z85: String { Z85.encode(bytes) }
}

extension CurvePublicKey: CustomStringConvertible {
  /// The key as text.
  public var description: String { z85 }
}
