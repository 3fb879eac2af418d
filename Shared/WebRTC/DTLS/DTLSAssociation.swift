public import SRTP

/// What two ends agreed on in a DTLS-SRTP handshake (RFC 5764, §4).
public struct DTLSAssociation: Hashable, Sendable {
  /// This end's role, which says whose keys are whose.
  public let role: DTLSRole

  /// How SRTP protects packets.
  public let profile: ProtectionProfile

  /// The keys of both ends. They are wiped with their last copy.
  public let keys: SRTPKeys

  /// OpenSSL's name of the cipher suite, e.g. `ECDHE-ECDSA-AES128-GCM-SHA256`.
  public let cipher: String

  /// OpenSSL's name of the protocol's version, e.g. `DTLSv1.2`.
  public let version: String

  /// What protects packets to the peer.
  public var sendKey: MasterKey { role == .client ? keys.client : keys.server }

  /// What protects packets of the peer.
  public var receiveKey: MasterKey { role == .client ? keys.server : keys.client }
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
