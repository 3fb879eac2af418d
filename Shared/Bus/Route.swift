public import ZeroMQ

/// Where a reply goes: the name a ROUTER gave to one connection.
///
/// It says which connection a request came by and is never an authority for who sent it.
public struct Route: Sendable {
  let frame: Frame

  /// Tells routes apart as fast as a number: the length and the first seven bytes of the name, which
  /// are all of a name that libzmq gives (five bytes).
  private let key: UInt64

  public init(_ frame: Frame) {
    self.frame = frame
    key = frame.withBytes { bytes in
      var key = UInt64(min(bytes.byteCount, 0xff))
      for offset in 0..<min(bytes.byteCount, Self.bytesInKey) {
        key = key << 8 | UInt64(unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      }
      return key
    }
  }

  private static let bytesInKey = 7
}

extension Route: Hashable {
  public static func == (left: Route, right: Route) -> Bool {
    left.key == right.key && (left.frame.count <= Self.bytesInKey || left.frame == right.frame)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    // A longer name is the peer's choice: beginnings alike must not make hashes alike.
    if frame.count > Self.bytesInKey { hasher.combine(frame) }
  }
}

extension Route: CustomStringConvertible {
  /// For logs: the connection's name in hexadecimal.
  public var description: String {
    frame.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
