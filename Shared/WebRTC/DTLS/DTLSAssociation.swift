public import SRTP

/// What two ends agreed on in a DTLS-SRTP handshake (RFC 5764, §4).
public struct DTLSAssociation: Hashable, Sendable {
  /// This end's role, which says whose keys are whose.
  public let role: DTLSRole

  /// How SRTP protects packets.
  public let profile: ProtectionProfile

  /// Client key, server key, client salt, server salt (RFC 5764, §4.2).
  public let keyingMaterial: [UInt8]

  /// OpenSSL's name of the cipher suite, e.g. `ECDHE-ECDSA-AES128-GCM-SHA256`.
  public let cipher: String
}

extension DTLSAssociation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// Names role, profile and cipher suite. No description shows the keys.
  public var description: String { "\(role), \(profile.name), \(cipher)" }

  /// The same.
  public var debugDescription: String { description }

  /// Shows all but the keys.
  public var customMirror: Mirror {
    Mirror(self, children: ["role": role, "profile": profile, "cipher": cipher])
  }
}
