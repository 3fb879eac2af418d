/// The master key and master salt that protect the packets of one side (RFC 3711, section 3.2.1).
///
/// Descriptions do not show the key's bytes. The release of the last copy of the key wipes the
/// bytes.
public struct MasterKey: Hashable, Sendable {
  /// The protection profile of the key.
  public let profile: ProtectionProfile

  let key: SecretBytes
  let salt: SecretBytes

  /// Copies a key and a salt.
  ///
  /// The owner of `key` and `salt` must wipe both.
  ///
  /// - Returns: `nil` if a length does not match the profile.
  public init?(profile: ProtectionProfile, key: RawSpan, salt: RawSpan) {
    guard key.byteCount == profile.keyLength, salt.byteCount == profile.saltLength else {
      return nil
    }
    self.profile = profile
    self.key = SecretBytes(key)
    self.salt = SecretBytes(salt)
  }
}

extension MasterKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A text that names the profile.
  public var description: String { "a master key of \(profile.name)" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror that shows only the profile.
  public var customMirror: Mirror { Mirror(self, children: ["profile": profile]) }
}
