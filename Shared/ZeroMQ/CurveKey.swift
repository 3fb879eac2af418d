internal import CZeroMQ

/// A CURVE key of a socket (zmq_curve(7)): 32 bytes.
///
/// Descriptions do not show the bytes, because the key may be a secret key.
public struct CurveKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  /// Creates a key.
  ///
  /// - Returns: `nil` unless there are 32 bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// The number of characters of a key as text (32/Z85).
  static let z85Count = 40

  /// Parses the bytes of a key (32/Z85).
  ///
  /// - Returns: `nil` if the text is not a key.
  init?(z85 text: [UInt8]) {
    guard text.count == Self.z85Count, !text.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 32)
    let characters = text.map { CChar(bitPattern: $0) } + [0]
    guard unsafe zmq_z85_decode(&bytes, characters) != nil else { return nil }
    self.bytes = bytes
  }

  /// Parses a public key in the format of libzmq and its tools (32/Z85): 40 characters.
  ///
  /// - Returns: `nil` if the text is not a key.
  public init?(text: String) { self.init(z85: Array(text.utf8)) }

  /// The key as text (32/Z85), for public keys. The text contains no spaces.
  public var text: String { String(decoding: z85, as: UTF8.self) }

  /// The key as text (32/Z85), for public keys.
  var z85: [UInt8] {
    var text = [CChar](repeating: 0, count: Self.z85Count + 1)
    guard unsafe zmq_z85_encode(&text, bytes, bytes.count) != nil else {
      preconditionFailure("A key has a multiple of four bytes.")
    }
    return text.dropLast().map { UInt8(bitPattern: $0) }
  }

  /// A text that does not reveal the key.
  public var description: String { "a key" }

  /// A mirror that does not reveal the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
