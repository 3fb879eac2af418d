internal import COpenSSL

// Checks and appends MESSAGE-INTEGRITY (RFC 8489, §14.5): HMAC-SHA1 with the password of the
// message's receiver.
extension STUNMessage {
  /// Returns whether the writer of the message knew the key.
  ///
  /// The comparison takes constant time.
  public func isAuthentic(with key: [UInt8]) -> Bool {
    guard let integrity, let code = Self.code(of: integrity.covered, key),
      code.count == integrity.code.count
    else { return false }
    return unsafe CRYPTO_memcmp(code, integrity.code, code.count) == 0
  }

  /// Returns the message as a datagram, with MESSAGE-INTEGRITY if there is a key, and with
  /// FINGERPRINT.
  public func datagram(with key: [UInt8]?) -> [UInt8] {
    guard let key else { return datagram() }
    return datagram { covered in
      guard let code = Self.code(of: covered, key) else {
        preconditionFailure("OpenSSL must provide HMAC-SHA1.")
      }
      return code
    }
  }

  /// Returns twenty bytes of HMAC-SHA1; `nil` if OpenSSL lacks this algorithm.
  private static func code(of covered: [UInt8], _ key: [UInt8]) -> [UInt8]? {
    var code = [UInt8](repeating: 0, count: 20)
    var count = 0
    let isDone = unsafe code.withUnsafeMutableBufferPointer { code in
      unsafe EVP_Q_mac(
        nil, "HMAC", nil, "SHA1", nil, key, key.count, covered, covered.count, code.baseAddress,
        code.count, &count) != nil
    }
    return isDone && count == code.count ? code : nil
  }
}
