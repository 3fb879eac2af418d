public import MeetingModel

/// A key that signs requests to the control API. This value does not contain the key's secret.
public struct AccessKey: Hashable, Sendable {
  /// The public id: `CARILLON` and twelve random characters of `A`-`Z` and `2`-`7`.
  public let id: String

  /// The name: 1-64 letters, digits, `.`, `_` and `-`. The name need not be unique.
  public let name: String

  /// The operations that the key allows.
  public let role: AccessRole

  /// The tenant whose meetings the key can access; `nil` for all meetings.
  public let tenant: TenantID?

  /// Whether gateways accept requests that a client signed with the key.
  public var isEnabled: Bool

  /// The time of creation, in milliseconds since 1970-01-01T00:00:00Z.
  public let createdAtMs: Int64

  /// Creates a key with a new id.
  ///
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` for a name that breaks the rule.
  init(
    name: String, role: AccessRole, tenant: TenantID?, at now: Int64
  ) throws(InvalidModelValue) {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var generator = SystemRandomNumberGenerator()
    let end = (0..<12).compactMap { _ in alphabet.randomElement(using: &generator) }
    try self.init(
      id: "CARILLON" + String(end), name: name, role: role, tenant: tenant, isEnabled: true,
      createdAtMs: now)
  }

  init(
    id: String, name: String, role: AccessRole, tenant: TenantID?, isEnabled: Bool,
    createdAtMs: Int64
  ) throws(InvalidModelValue) {
    guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(Self.isNameByte) else {
      throw .invalidValue(what: "key name", rule: "1-64 letters, digits or . _ -")
    }
    guard (1...128).contains(id.utf8.count), id.utf8.allSatisfy(Self.isNameByte) else {
      throw .invalidValue(what: "key id", rule: "1-128 letters, digits or _")
    }
    (self.id, self.name, self.role, self.tenant) = (id, name, role, tenant)
    (self.isEnabled, self.createdAtMs) = (isEnabled, createdAtMs)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension AccessKey: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, name, role, tenant, enabled
    case createdAtMs = "created_at_ms"
  }

  /// Decodes a key from the file of access keys, and applies the rules for new keys.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      id: members.decode(String.self, forKey: .id),
      name: members.decode(String.self, forKey: .name),
      role: members.decode(AccessRole.self, forKey: .role),
      tenant: members.decodeIfPresent(String.self, forKey: .tenant).map { try TenantID($0) },
      isEnabled: members.decode(Bool.self, forKey: .enabled),
      createdAtMs: members.decode(Int64.self, forKey: .createdAtMs))
  }

  /// Encodes a key for the file of access keys.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(id, forKey: .id)
    try members.encode(name, forKey: .name)
    try members.encode(role, forKey: .role)
    try members.encodeIfPresent(tenant?.text, forKey: .tenant)
    try members.encode(isEnabled, forKey: .enabled)
    try members.encode(createdAtMs, forKey: .createdAtMs)
  }
}
