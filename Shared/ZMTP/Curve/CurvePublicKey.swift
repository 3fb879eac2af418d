/// A key by which others know who somebody is (26/CurveZMQ): 32 bytes, 40 characters as text.
public struct CurvePublicKey: Hashable, Sendable {
  /// How many bytes a key has.
  public static let byteCount = 32

  /// The key itself.
  public let bytes: [UInt8]

  /// - Returns: `nil` if there are not 32 of them.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Reads a key as libzmq and its tools write it (32/Z85).
  ///
  /// - Returns: `nil` if the text is no key.
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
