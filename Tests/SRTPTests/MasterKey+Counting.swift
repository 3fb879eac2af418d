import SRTP

extension MasterKey {
  /// Returns a key whose bytes count up from a number.
  static func counting(_ profile: ProtectionProfile, from first: UInt8 = 0) -> MasterKey? {
    let key = (0..<UInt8(profile.keyLength)).map { first &+ $0 }
    let salt = (0..<UInt8(profile.saltLength)).map { first &+ 100 &+ $0 }
    return MasterKey(profile: profile, key: key.span.bytes, salt: salt.span.bytes)
  }
}
