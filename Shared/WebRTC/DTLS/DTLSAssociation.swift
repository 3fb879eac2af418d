public import SRTP

/// The result of a DTLS-SRTP handshake (RFC 5764, §4).
public struct DTLSAssociation: Hashable, Sendable {
  /// This end's role. The role determines which keys belong to this end.
  public let role: DTLSRole

  /// The protection profile of SRTP.
  public let profile: ProtectionProfile

  /// The keys of both ends. The release of the last copy of the keys wipes their bytes.
  public let keys: SRTPKeys

  /// OpenSSL's name of the cipher suite, for example `ECDHE-ECDSA-AES128-GCM-SHA256`.
  public let cipher: String

  /// OpenSSL's name of the protocol's version, for example `DTLSv1.2`.
  public let version: String

  /// The key that protects packets to the peer.
  public var sendKey: MasterKey { role == .client ? keys.client : keys.server }

  /// The key that protects packets from the peer.
  public var receiveKey: MasterKey { role == .client ? keys.server : keys.client }
}

extension DTLSAssociation: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The role, the profile and the cipher suite. No description contains the keys.
  public var description: String { "\(role), \(profile.name), \(cipher)" }

  /// The text of ``description``.
  public var debugDescription: String { description }

  /// A mirror of the role, the profile and the cipher suite, without the keys.
  public var customMirror: Mirror {
    Mirror(self, children: ["role": role, "profile": profile, "cipher": cipher])
  }
}
