/// The hash of a certificate, as in an offer or answer (RFC 8122, §5).
public struct DTLSFingerprint: Hashable, Sendable, CustomStringConvertible {
  /// The hash function.
  public let hash: FingerprintHash

  /// The hash, of ``FingerprintHash/length`` bytes.
  public let bytes: [UInt8]

  /// - Returns: `nil` if the number of bytes does not match the hash function.
  public init?(_ hash: FingerprintHash, _ bytes: [UInt8]) {
    guard bytes.count == hash.length else { return nil }
    (self.hash, self.bytes) = (hash, bytes)
  }

  /// Reads the value of `a=fingerprint`, for example `sha-256 4A:AD:…`.
  ///
  /// The hash's name and the digits are case-insensitive.
  ///
  /// - Returns: `nil` for hash functions that are unknown or must not be used, and for digits that
  ///   are not pairs separated by colons.
  public init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, let hash = FingerprintHash(rawValue: parts[0].lowercased()),
      let bytes = Self.bytes(of: parts[1])
    else { return nil }
    self.init(hash, bytes)
  }

  /// The value of `a=fingerprint`, with upper-case digits.
  public var description: String { "\(hash.rawValue) \(digits)" }

  /// The hash as pairs of upper-case digits, separated by colons.
  public var digits: String {
    bytes.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "0" + digits : digits
    }.joined(separator: ":")
  }

  private static func bytes(of digits: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    for pair in digits.split(separator: ":", omittingEmptySubsequences: false) {
      guard pair.utf8.count == 2, pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}

extension [DTLSFingerprint] {
  /// The fingerprints of the strongest hash function.
  ///
  /// A certificate must match one of these fingerprints (RFC 8122, §5).
  public var strongest: [DTLSFingerprint] {
    let hash = map(\.hash).max()
    return filter { $0.hash == hash }
  }
}
