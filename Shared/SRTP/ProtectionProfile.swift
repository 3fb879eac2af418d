/// A protection profile of SRTP and SRTCP, by its number in DTLS-SRTP's `use_srtp` extension (RFC
/// 5764, RFC 7714).
///
/// The cases are in Carillon's order of preference.
public enum ProtectionProfile: UInt16, CaseIterable, Sendable {
  /// AES-128 in Galois/Counter Mode, with a tag of 16 bytes.
  case aeadAES128GCM = 0x0007
  /// AES-256 in Galois/Counter Mode, with a tag of 16 bytes.
  case aeadAES256GCM = 0x0008
  /// AES-128 in counter mode, with an HMAC-SHA1 tag of 80 bits.
  case aes128CMHMACSHA180 = 0x0001

  /// The size of each master key, in bytes.
  public var keyLength: Int { self == .aeadAES256GCM ? 32 : 16 }

  /// The size of each master salt, in bytes.
  public var saltLength: Int { self == .aes128CMHMACSHA180 ? 14 : 12 }

  /// The size of each packet's authentication tag, in bytes.
  public var tagLength: Int { self == .aes128CMHMACSHA180 ? 10 : 16 }

  /// The number of bytes that DTLS exports for both sides' master keys and salts (RFC 5764, section
  /// 4.2).
  public var exportedLength: Int { 2 * (keyLength + saltLength) }

  /// The name in OpenSSL and IANA's registry.
  public var name: String {
    switch self {
    case .aeadAES128GCM: "SRTP_AEAD_AES_128_GCM"
    case .aeadAES256GCM: "SRTP_AEAD_AES_256_GCM"
    case .aes128CMHMACSHA180: "SRTP_AES128_CM_SHA1_80"
    }
  }
}
