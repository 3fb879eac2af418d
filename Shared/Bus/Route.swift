public import ZeroMQ

/// Where a reply goes: the name a ROUTER gave to one connection.
///
/// It says which connection a request came by and is never an authority for who sent it.
public struct Route: Sendable {
  /// The length and the first seven bytes of the name, which are all of a name that libzmq gives
  /// (five bytes): routes are told apart as fast as numbers.
  private let key: UInt64

  /// A name that the peer chose longer than the key can tell.
  private let longName: Frame?

  /// The route that a ROUTER put in front of a request.
  public init(_ frame: Frame) {
    self = frame.withBytes { Self($0) }
  }

  /// The route of these bytes.
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

  /// The route of a connection of a ``ClientListener``.
  ///
  /// - Parameter number: Less than 2⁵⁶.
  init(number: UInt64) {
    key = UInt64(Self.bytesInKey) << 56 | number
    longName = nil
  }

  /// The number that the route was made of, if it was.
  var number: UInt64? {
    longName == nil && key >> 56 == Self.bytesInKey ? key & (1 << 56 - 1) : nil
  }

  private static let bytesInKey = 7

  /// Lends the bytes of the name.
  public func withBytes<R>(_ body: (RawSpan) -> R) -> R {
    if let longName { return longName.withBytes(body) }
    let count = Int(key >> 56)
    // The length comes first in memory, and then the name.
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
    // A longer name is the peer's choice: beginnings alike must not make hashes alike.
    if let longName { hasher.combine(longName) }
  }
}

extension Route: CustomStringConvertible {
  /// What logs show: the connection's name in hexadecimal.
  public var description: String {
    withBytes { [UInt8](copying: $0) }
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
