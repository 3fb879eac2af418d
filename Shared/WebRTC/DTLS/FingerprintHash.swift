/// The hash functions of certificate fingerprints, weakest first (RFC 8122, §5).
///
/// RFC 8122 also names MD2 and MD5, but peers must not use these functions.
public enum FingerprintHash: String, CaseIterable, Comparable, Sendable {
  /// SHA-1 (FIPS 180-4).
  case sha1 = "sha-1"
  /// SHA-224 (FIPS 180-4).
  case sha224 = "sha-224"
  /// SHA-256 (FIPS 180-4).
  case sha256 = "sha-256"
  /// SHA-384 (FIPS 180-4).
  case sha384 = "sha-384"
  /// SHA-512 (FIPS 180-4).
  case sha512 = "sha-512"

  /// The size of a hash in bytes.
  public var length: Int {
    switch self {
    case .sha1: 20
    case .sha224: 28
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  public static func < (left: Self, right: Self) -> Bool { left.length < right.length }
}
