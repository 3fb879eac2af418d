/// The master keys of both sides of a DTLS association.
public struct SRTPKeys: Hashable, Sendable {
  /// The label under which DTLS exports the keys, without a context (RFC 5764, section 4.2).
  public static let exporterLabel = "EXTRACTOR-dtls_srtp"

  /// The protection profile of both sides.
  public var profile: ProtectionProfile { client.profile }

  /// The key that protects packets of the DTLS client.
  public let client: MasterKey

  /// The key that protects packets of the DTLS server.
  public let server: MasterKey

  /// Divides exported keying material into client key, server key, client salt and server salt (RFC
  /// 5764, section 4.2).
  ///
  /// - Parameter material: `profile.exportedLength` bytes. This initializer wipes and removes these
  ///   bytes.
  /// - Returns: `nil` if the number of bytes is different.
  public init?(profile: ProtectionProfile, wiping material: inout [UInt8]) {
    defer { material.wipe() }
    guard material.count == profile.exportedLength else { return nil }
    let bytes = unsafe material.span.bytes
    let (key, salt) = (profile.keyLength, profile.saltLength)
    let salts = bytes.extracting((2 * key)...)
    guard
      let client = MasterKey(
        profile: profile, key: bytes.extracting(0..<key), salt: salts.extracting(0..<salt)),
      let server = MasterKey(
        profile: profile, key: bytes.extracting(key..<(2 * key)), salt: salts.extracting(salt...))
    else { return nil }
    self.client = client
    self.server = server
  }
}
