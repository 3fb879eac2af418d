import Crypto

// MESSAGE-INTEGRITY (RFC 8489, §14.5): HMAC-SHA1 with the password of whom the message is for.
extension STUNMessage {
  /// Whether the message was written by somebody who knows the key. Constant-time.
  func isAuthentic(with key: [UInt8]) -> Bool {
    guard let integrity else { return false }
    return HMAC<Insecure.SHA1>.isValidAuthenticationCode(
      integrity.code, authenticating: integrity.covered, using: SymmetricKey(data: key))
  }

  /// The message as a datagram, with MESSAGE-INTEGRITY if there is a key, and with FINGERPRINT.
  func datagram(with key: [UInt8]?) -> [UInt8] {
    guard let key else { return datagram() }
    return datagram { covered in
      Array(
        HMAC<Insecure.SHA1>.authenticationCode(for: covered, using: SymmetricKey(data: key)))
    }
  }
}
