/// A message of the contract as a Swift value.
///
/// Conforming types are generated; each goes to and from bytes through protobuf-c and validates
/// what it unpacks. Nothing else conforms.
public protocol WireMessage: Sendable, Hashable {
  /// The full name in the contract, for example `carillon.v1.JoinRequest`.
  static var protoName: String { get }

  /// A message whose fields all have their defaults.
  init()

  /// Unpacks one message from all of `bytes`.
  ///
  /// Every string in it is valid UTF-8 without a NUL. Fields this version does not know are left
  /// out; no bytes at all are a message of defaults.
  ///
  /// - Throws: ``WireError`` for bytes that are no such message or need more than `limits` allow.
  init(packed bytes: RawSpan, limits: WireLimits) throws(WireError)

  /// Copies the message into `arena`, ready to be packed. Called by this module only.
  func prepare(in arena: borrowing WireArena) -> PreparedMessage
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

  /// The message as bytes.
  ///
  /// A NUL (U+0000) in a string has no place on the wire, where C programs read it: it is left out.
  public func packed() -> [UInt8] {
    let arena = WireArena()
    let message = prepare(in: arena)
    return unsafe [UInt8](unsafeUninitializedCapacity: message.count) { buffer, count in
      count = unsafe message.write(to: buffer)
    }
  }

  /// How many bytes ``packed()`` makes.
  public var packedCount: Int {
    let arena = WireArena()
    return prepare(in: arena).count
  }
}
