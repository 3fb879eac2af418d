public import ZeroMQ

/// The destination of a reply: the name that a ROUTER assigned to one connection.
///
/// It identifies the connection of a request and never authenticates the sender.
public struct Route: Sendable {
  /// The length and the first seven bytes of the name. libzmq's own names have five bytes, so their
  /// routes compare as fast as numbers.
  private let key: UInt64

  /// A name, chosen by the peer, that is longer than the key can hold.
  private let longName: Frame?

  /// Makes the route that a ROUTER put before a request.
  public init(_ frame: Frame) {
    self = frame.withBytes { Self($0) }
  }

  /// Makes the route of these bytes.
  public init(_ name: RawSpan) {
    let count = name.byteCount
    var key = UInt64(min(count, 0xff))
    for offset in 0..<Self.bytesInKey {
      let byte = offset < count ? unsafe name.unsafeLoad(fromByteOffset: offset, as: UInt8.self) : 0
      key = key << 8 | UInt64(byte)
    }
    self.key = key
    longName = count > Self.bytesInKey ? Frame(copying: name) : nil
  }

  /// Makes the route of a connection of a ``ClientListener``.
  ///
  /// - Parameter number: Less than 2⁵⁶.
  init(number: UInt64) {
    key = UInt64(Self.bytesInKey) << 56 | number
    longName = nil
  }

  /// The number that the route was made from; `nil` for a name.
  var number: UInt64? {
    longName == nil && key >> 56 == Self.bytesInKey ? key & (1 << 56 - 1) : nil
  }

  private static let bytesInKey = 7

  /// Passes the bytes of the name to `body`.
  public func withBytes<R>(_ body: (RawSpan) -> R) -> R {
    if let longName { return longName.withBytes(body) }
    let count = Int(key >> 56)
    // In memory the length is first, followed by the name.
    return unsafe withUnsafeBytes(of: key.bigEndian) { bytes in
      body(unsafe UnsafeRawBufferPointer(rebasing: bytes[1..<1 + count]).bytes)
    }
  }
}

extension Route: Hashable {
  public static func == (left: Route, right: Route) -> Bool {
    left.key == right.key && left.longName == right.longName
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    // The peer chooses longer names: equal beginnings must not make equal hashes.
    if let longName { hasher.combine(longName) }
  }
}

extension Route: CustomStringConvertible {
  /// The connection's name in hexadecimal, for logs.
  public var description: String {
    withBytes { [UInt8](copying: $0) }
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
