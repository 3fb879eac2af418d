/// How SRTP and SRTCP protect packets, by its number in DTLS-SRTP's `use_srtp` extension (RFC 5764,
/// RFC 7714).
///
/// The cases stand in the order in which Carillon prefers them.
public enum ProtectionProfile: UInt16, CaseIterable, Sendable {
  /// AES-128 in Galois/Counter Mode, 16 bytes of tag.
  case aeadAES128GCM = 0x0007
  /// AES-256 in Galois/Counter Mode, 16 bytes of tag.
  case aeadAES256GCM = 0x0008
  /// AES-128 in counter mode, HMAC-SHA1 with 80 bits of tag.
  case aes128CMHMACSHA180 = 0x0001

  /// Bytes of each master key.
  public var keyLength: Int { self == .aeadAES256GCM ? 32 : 16 }

  /// Bytes of each master salt.
  public var saltLength: Int { self == .aes128CMHMACSHA180 ? 14 : 12 }

  /// Bytes of each packet's authentication tag.
  public var tagLength: Int { self == .aes128CMHMACSHA180 ? 10 : 16 }

  /// Bytes that DTLS exports for both sides' master keys and salts (RFC 5764, section 4.2).
  public var exportedLength: Int { 2 * (keyLength + saltLength) }

  /// OpenSSL's and IANA's name for it.
  public var name: String {
    switch self {
    case .aeadAES128GCM: "SRTP_AEAD_AES_128_GCM"
    case .aeadAES256GCM: "SRTP_AEAD_AES_256_GCM"
    case .aes128CMHMACSHA180: "SRTP_AES128_CM_SHA1_80"
    }
  }
}
