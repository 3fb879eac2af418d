public import ZeroMQ

/// The destination of a reply: the name that a ROUTER assigns to one connection.
///
/// A routing id identifies the connection of a request. A routing id does not authenticate the
/// sender.
public struct RoutingID: Sendable {
  /// The length and the first seven bytes of the name. The names that libzmq assigns have five
  /// bytes, so a comparison of two of these names is a comparison of numbers.
  private let key: UInt64

  /// The whole name, if the peer chose a name that is too long for the key; otherwise `nil`.
  private let longName: MessageFrame?

  /// Makes the routing id from the frame that a ROUTER put before a request.
  public init(_ frame: MessageFrame) {
    self = frame.withBytes { Self($0) }
  }

  /// Makes the routing id of the connection with this name.
  public init(_ name: RawSpan) {
    let count = name.byteCount
    var key = UInt64(min(count, 0xff))
    for offset in 0..<Self.bytesInKey {
      let byte = offset < count ? unsafe name.unsafeLoad(fromByteOffset: offset, as: UInt8.self) : 0
      key = key << 8 | UInt64(byte)
    }
    self.key = key
    longName = count > Self.bytesInKey ? MessageFrame(copying: name) : nil
  }

  /// Makes the routing id of a ``ClientListener``'s connection.
  ///
  /// - Parameter number: The number of the connection, less than 2⁵⁶.
  init(number: UInt64) {
    key = UInt64(Self.bytesInKey) << 56 | number
    longName = nil
  }

  /// The number that ``init(number:)`` received; `nil` for a routing id that another initializer
  /// made from a name.
  var number: UInt64? {
    longName == nil && key >> 56 == Self.bytesInKey ? key & (1 << 56 - 1) : nil
  }

  private static let bytesInKey = 7

  /// Passes the bytes of the name to `body`.
  public func withBytes<R>(_ body: (RawSpan) -> R) -> R {
    if let longName { return longName.withBytes(body) }
    let count = Int(key >> 56)
    // The first byte is the length of the name. The bytes of the name follow.
    return unsafe withUnsafeBytes(of: key.bigEndian) { bytes in
      body(unsafe UnsafeRawBufferPointer(rebasing: bytes[1..<1 + count]).bytes)
    }
  }
}

extension RoutingID: Hashable {
  public static func == (left: RoutingID, right: RoutingID) -> Bool {
    left.key == right.key && left.longName == right.longName
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    // The key contains only the first 7 bytes of a long name. A peer chooses this name, and must
    // not be able to create many routing ids with equal hashes.
    if let longName { hasher.combine(longName) }
  }
}

extension RoutingID: CustomStringConvertible {
  /// The connection's name in hexadecimal, for logs.
  public var description: String {
    withBytes { [UInt8](copying: $0) }
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
