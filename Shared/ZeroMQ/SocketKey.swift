/// A key of a socket under CURVE (zmq_curve(7)): 32 bytes.
///
/// Descriptions do not show them, for they may be those of a secret key.
public struct SocketKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  let bytes: [UInt8]

  /// - Returns: `nil` if there are not 32 bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Shows nothing of the key.
  public var description: String { "a key" }

  /// Shows nothing of the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
