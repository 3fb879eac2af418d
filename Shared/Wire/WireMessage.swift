/// A message of the contract as a Swift value.
///
/// Only generated types conform. These types pack and unpack with protobuf-c, and validate every
/// unpacked message.
public protocol WireMessage: Sendable, Hashable {
  /// The full name in the contract, for example `carillon.v1.JoinRequest`.
  static var protoName: String { get }

  /// Creates a message whose fields all have their defaults.
  init()

  /// Unpacks one message from all of `bytes`.
  ///
  /// Every string in the message is valid UTF-8 without a NUL. The initializer drops unknown
  /// fields. An empty span unpacks to a message whose fields have their defaults.
  ///
  /// - Throws: ``WireError`` if the bytes are not a message of this type or exceed `limits`.
  init(packed bytes: RawSpan, limits: WireLimits) throws(WireError)

  /// Copies the message into `arena`, from which the caller can pack the message. Only this module
  /// calls this method.
  func prepare(in arena: borrowing WireArena) -> ArenaMessage
}

extension WireMessage {
  /// Unpacks one message from all of `bytes`, within the default limits.
  public init(packed bytes: RawSpan) throws(WireError) {
    try self.init(packed: bytes, limits: .default)
  }

  /// Unpacks one message from all of `bytes`.
  public init(packed bytes: [UInt8], limits: WireLimits = .default) throws(WireError) {
    try unsafe self.init(packed: bytes.span.bytes, limits: limits)
  }

  /// Packs the message.
  ///
  /// Drops NULs (U+0000) in strings, because C programs read the strings.
  public func packed() -> [UInt8] {
    let arena = WireArena()
    let message = prepare(in: arena)
    return unsafe [UInt8](unsafeUninitializedCapacity: message.count) { buffer, count in
      count = unsafe message.write(to: buffer)
    }
  }

  /// The size of the array that ``packed()`` returns, in bytes.
  public var packedCount: Int {
    let arena = WireArena()
    return prepare(in: arena).count
  }
}
