public import MeetingModel

/// Issues and checks host tokens with the installation's key.
///
/// A token is unpadded base64url (RFC 4648, §5). It encodes the key's id (4 bytes), the meeting (16
/// bytes), and the times of issue and expiry (8 bytes each, big-endian). An HMAC-SHA-256 over a
/// label and these values follows. Gateways store no tokens. Every gateway of an installation has
/// the same key, so each gateway accepts the tokens of all other gateways.
public struct HostTokenIssuer: Sendable {
  private let key: InstallationKey

  /// The time for which a token is valid: 24 hours.
  public static let lifetime: Int64 = 24 * 60 * 60

  /// Creates host tokens from a key.
  public init(_ key: InstallationKey) { self.key = key }

  /// Issues a token for a host of a meeting.
  ///
  /// - Parameter now: Seconds since 1970-01-01T00:00:00Z.
  public func issue(
    for meeting: MeetingID, at now: Int64
  ) -> (token: HostToken, grant: HostTokenClaims) {
    let grant = HostTokenClaims(meeting: meeting, issuedAt: now, expiresAt: now + Self.lifetime)
    let signed = keyID + Self.bytes(of: grant)
    return (HostToken(Base64URL.text(of: signed + code(of: signed))), grant)
  }

  /// Checks a token for a meeting.
  ///
  /// Compares the authentication code in constant time, and uses the token's contents only if this
  /// code is right.
  ///
  /// - Parameter now: Seconds since 1970-01-01T00:00:00Z.
  public func check(
    _ token: HostToken, for meeting: MeetingID, at now: Int64
  ) throws(HostTokenRefusal) -> HostTokenClaims {
    let grant = try verified(token)
    guard now < grant.expiresAt else { throw .expired }
    guard grant.meeting == meeting else { throw .otherMeeting }
    return grant
  }

  private func verified(_ token: HostToken) throws(HostTokenRefusal) -> HostTokenClaims {
    guard token.text.utf8.count == Self.length, let bytes = Base64URL.bytes(of: token.text),
      bytes.count == Self.signedSize + Self.codeSize
    else { throw .forged }
    let signed = Array(bytes.prefix(Self.signedSize))
    let isSigned = ConstantTime.areEqual(Array(bytes.suffix(Self.codeSize)), code(of: signed))
    guard isSigned else {
      throw signed.prefix(Self.keyIDSize).elementsEqual(keyID) ? .forged : .otherKey
    }
    guard let grant = Self.grant(in: signed) else { throw .forged }
    return grant
  }

  private func code(of signed: [UInt8]) -> [UInt8] { key.code(for: Self.label + signed) }

  /// The id of the key: the first bytes of a code that depends only on the key.
  private var keyID: [UInt8] {
    Array(key.code(for: Array("carillon host key id 1\0".utf8)).prefix(Self.keyIDSize))
  }

  // MARK: Encoding

  private static let keyIDSize = 4
  private static let signedSize = keyIDSize + 16 + 8 + 8
  private static let codeSize = 32

  /// The number of characters that encode 68 bytes.
  private static let length = 91

  /// The label that separates these authentication codes from other uses of the key.
  private static let label = Array("carillon host token 1\0".utf8)

  private static func bytes(of grant: HostTokenClaims) -> [UInt8] {
    grant.meeting.guid.bytes + bytes(of: grant.issuedAt) + bytes(of: grant.expiresAt)
  }

  private static func bytes(of number: Int64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - $0 * 8)) }
  }

  private static func grant(in signed: [UInt8]) -> HostTokenClaims? {
    guard let guid = GUID(bytes: Array(signed[keyIDSize..<keyIDSize + 16])) else { return nil }
    return HostTokenClaims(
      meeting: MeetingID(guid), issuedAt: number(in: signed[20..<28]),
      expiresAt: number(in: signed[28..<36]))
  }

  private static func number(in bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.reduce(0) { $0 << 8 | Int64($1) }
  }
}
