/// The purpose of a derived key, by the label of RFC 3711, section 4.3.2.
enum SRTPKeyLabel: UInt8 {
  case rtpCipher = 0
  case rtpAuthentication = 1
  case rtpSalt = 2
  case rtcpCipher = 3
  case rtcpAuthentication = 4
  case rtcpSalt = 5
}

extension MasterKey {
  /// Derives a session key (RFC 3711, section 4.3, with a key derivation rate of 0).
  ///
  /// The pseudo-random function is AES in counter mode under the master key. The key has 128 bits
  /// or, for AES-256, 256 bits (RFC 6188). This type appends two zero bytes to a salt of 12 bytes
  /// (RFC 7714, section 11).
  func derive(_ label: SRTPKeyLabel, count: Int) -> SecretBytes {
    let cipher = CipherContext(.counterMode, .encrypt, key: key)
    let salt = InitialVector(salt: salt)
    cipher.begin(
      InitialVector(halves: (salt.halves.0 ^ UInt64(label.rawValue), salt.halves.1)))
    return unsafe SecretBytes(count: count) { unsafe cipher.apply(to: $0) }
  }
}
