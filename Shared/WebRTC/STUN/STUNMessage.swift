/// A STUN binding message for connectivity checks (RFC 8489), received or to be sent.
public struct STUNMessage: Hashable {
  /// The class of a message (RFC 8489, §5).
  public enum Class: UInt16, Sendable {
    /// Requests a response.
    case request = 0x000
    /// Requests no response.
    case indication = 0x010
    /// Answers an accepted request.
    case success = 0x100
    /// Answers a refused request.
    case error = 0x110
  }

  /// The attributes that Carillon uses, by their numbers (RFC 8489, §18.3; RFC 8445, §20.1).
  public enum Attribute {
    /// USERNAME: in a connectivity check, the receiver's ICE username fragment, a colon, and the
    /// sender's ICE username fragment.
    public static let username: UInt16 = 0x0006
    /// MESSAGE-INTEGRITY.
    public static let messageIntegrity: UInt16 = 0x0008
    /// ERROR-CODE.
    public static let errorCode: UInt16 = 0x0009
    /// UNKNOWN-ATTRIBUTES.
    public static let unknownAttributes: UInt16 = 0x000A
    /// XOR-MAPPED-ADDRESS.
    public static let xorMappedAddress: UInt16 = 0x0020
    /// PRIORITY.
    public static let priority: UInt16 = 0x0024
    /// USE-CANDIDATE: nominates the pair of the check.
    public static let useCandidate: UInt16 = 0x0025
    /// FINGERPRINT.
    public static let fingerprint: UInt16 = 0x8028
    /// ICE-CONTROLLED.
    public static let iceControlled: UInt16 = 0x8029
    /// ICE-CONTROLLING.
    public static let iceControlling: UInt16 = 0x802A
  }

  /// An attribute of a message, without its padding.
  public struct Value: Hashable, Sendable {
    /// The number of the attribute, see ``Attribute``.
    public let type: UInt16

    /// The value of the attribute, without padding.
    public let bytes: [UInt8]

    /// - Parameters:
    ///   - type: The number of the attribute, see ``Attribute``.
    ///   - bytes: The value of the attribute, without padding.
    public init(type: UInt16, bytes: [UInt8]) { (self.type, self.bytes) = (type, bytes) }
  }

  /// The class of the message.
  public let kind: Class

  /// Twelve bytes that the answer repeats.
  public let transaction: [UInt8]

  /// The attributes in order, without MESSAGE-INTEGRITY and FINGERPRINT.
  ///
  /// The parser omits attributes after MESSAGE-INTEGRITY, because MESSAGE-INTEGRITY does not
  /// protect these attributes.
  public private(set) var attributes: [Value] = []

  /// The bytes that MESSAGE-INTEGRITY covers, with the length field that the computation of
  /// MESSAGE-INTEGRITY uses; and the value of MESSAGE-INTEGRITY.
  public private(set) var integrity: (covered: [UInt8], code: [UInt8])?

  /// Whether a correct FINGERPRINT ends the message.
  public private(set) var hasFingerprint = false

  private static let binding: UInt16 = 0x0001
  private static let cookie: [UInt8] = [0x21, 0x12, 0xA4, 0x42]
  private static let header = 20
  private static let code = 20

  /// - Parameters:
  ///   - kind: The class of the message.
  ///   - transaction: Twelve bytes.
  ///   - attributes: The attributes in order, without MESSAGE-INTEGRITY and FINGERPRINT.
  public init(_ kind: Class, transaction: [UInt8], attributes: [Value] = []) {
    (self.kind, self.transaction, self.attributes) = (kind, transaction, attributes)
  }

  /// Returns whether two messages have the same content, regardless of their protection.
  public static func == (left: STUNMessage, right: STUNMessage) -> Bool {
    left.kind == right.kind && left.transaction == right.transaction
      && left.attributes == right.attributes
  }

  /// Hashes the transaction and the attributes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(transaction)
    hasher.combine(attributes)
  }

  /// Returns the value of the first attribute of a type.
  public subscript(type: UInt16) -> [UInt8]? { attributes.first { $0.type == type }?.bytes }

  // MARK: Reading

  /// Returns whether a datagram looks like STUN, and not like DTLS or RTP (RFC 7983).
  ///
  /// ``init(_:)`` reads no other datagram.
  public static func isLikely(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= header && bytes[0] < 4 && bytes[4] == cookie[0] && bytes[5] == cookie[1]
      && bytes[6] == cookie[2] && bytes[7] == cookie[3]
  }

  /// - Parameter bytes: A datagram.
  /// - Returns: `nil` unless the datagram is exactly one binding message.
  public init?(_ bytes: Span<UInt8>) {
    guard Self.isLikely(bytes) else { return nil }
    let type = Self.word(bytes, 0)
    guard type & ~0x110 == Self.binding, let kind = Class(rawValue: type & 0x110),
      Int(Self.word(bytes, 2)) == bytes.count - Self.header, bytes.count % 4 == 0
    else { return nil }
    self.kind = kind
    transaction = Self.copy(bytes, 8..<Self.header)
    var place = Self.header
    while place < bytes.count {
      guard place + 4 <= bytes.count else { return nil }
      let (type, count) = (Self.word(bytes, place), Int(Self.word(bytes, place + 2)))
      let end = place + 4 + count
      guard end <= bytes.count else { return nil }
      let value = Self.copy(bytes, (place + 4)..<end)
      switch type {
      case Attribute.fingerprint:
        guard count == 4, end == bytes.count else { return nil }
        let sum = CRC32.sum(of: Self.copy(bytes, 0..<place)) ^ Self.fingerprintMask
        guard value == Self.bytes(sum) else { return nil }
        hasFingerprint = true
      case Attribute.messageIntegrity where integrity == nil:
        guard count == Self.code else { return nil }
        var covered = Self.copy(bytes, 0..<place)
        Self.setLength(of: &covered, to: end - Self.header)
        integrity = (covered, value)
      default:
        if integrity == nil { attributes.append(Value(type: type, bytes: value)) }
      }
      place = (end + 3) & ~3
    }
  }

  // MARK: Writing

  /// Returns the message as a datagram, with FINGERPRINT.
  ///
  /// - Parameter sign: Returns the twenty bytes of MESSAGE-INTEGRITY. If `sign` is `nil`, the
  ///   message has no MESSAGE-INTEGRITY.
  public func datagram(signedBy sign: (([UInt8]) -> [UInt8])? = nil) -> [UInt8] {
    var bytes = Self.bytes(kind.rawValue | Self.binding) + [0, 0] + Self.cookie + transaction
    for attribute in attributes { Self.append(attribute, to: &bytes) }
    if let sign {
      Self.setLength(of: &bytes, to: bytes.count - Self.header + 4 + Self.code)
      Self.append(Value(type: Attribute.messageIntegrity, bytes: sign(bytes)), to: &bytes)
    }
    Self.setLength(of: &bytes, to: bytes.count - Self.header + 8)
    let sum = CRC32.sum(of: bytes) ^ Self.fingerprintMask
    Self.append(Value(type: Attribute.fingerprint, bytes: Self.bytes(sum)), to: &bytes)
    return bytes
  }

  private static let fingerprintMask: UInt32 = 0x5354_554E

  private static func append(_ value: Value, to bytes: inout [UInt8]) {
    bytes += Self.bytes(value.type) + Self.bytes(UInt16(value.bytes.count)) + value.bytes
    bytes += repeatElement(0, count: (4 - value.bytes.count % 4) % 4)
  }

  private static func setLength(of bytes: inout [UInt8], to length: Int) {
    bytes.replaceSubrange(2..<4, with: Self.bytes(UInt16(truncatingIfNeeded: length)))
  }

  static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    (1...Number.bitWidth / 8).map {
      UInt8(truncatingIfNeeded: number >> (Number.bitWidth - 8 * $0))
    }
  }

  private static func word(_ bytes: Span<UInt8>, _ place: Int) -> UInt16 {
    UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
  }

  private static func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    range.map { bytes[$0] }
  }

  // MARK: Addresses

  /// Returns XOR-MAPPED-ADDRESS: the source of a request, in a form that no NAT changes.
  public static func mapped(_ address: UDPAddress, transaction: [UInt8]) -> Value {
    let key = cookie + transaction
    let port = Self.bytes(address.port).enumerated().map { $0.element ^ key[$0.offset] }
    let host = address.host.enumerated().map { $0.element ^ key[$0.offset] }
    let family: UInt8 = address.host.count == 4 ? 1 : 2
    return Value(type: Attribute.xorMappedAddress, bytes: [0, family] + port + host)
  }
}
