internal import COpenSSL

/// The key and certificate that this process shows to all peers.
///
/// No authority signs the certificate. Peers recognise the certificate by its fingerprint in the
/// offer or answer (RFC 8827, §5). A process creates one identity at its start.
///
/// Several threads may share an identity. OpenSSL counts references to the context with atomics,
/// and the context does not change after its creation.
@safe public final class DTLSIdentity: @unchecked Sendable {
  /// The certificate as DER (RFC 5280).
  public let certificate: [UInt8]

  /// The certificate's SHA-256.
  public let fingerprint: DTLSFingerprint

  /// The settings of all sessions of this identity, an `SSL_CTX`.
  let context: OpaquePointer

  /// - Parameter now: Seconds since 1970-01-01T00:00:00Z. The certificate is valid from one day
  ///   before this time until 29 days after this time.
  /// - Throws: An error if OpenSSL lacks a curve, a cipher suite or memory.
  public convenience init(at now: Int64) throws(OpenSSLError) {
    try self.init(of: DTLSCertificate(at: now))
  }

  /// Creates an identity from an existing certificate and key.
  ///
  /// - Parameters:
  ///   - certificate: The certificate as DER (RFC 5280).
  ///   - key: The key as DER (PKCS #8, RFC 5208).
  /// - Throws: An error if OpenSSL cannot read the certificate or the key, or if the two do not
  ///   match.
  public convenience init(certificate: [UInt8], key: [UInt8]) throws(OpenSSLError) {
    try self.init(of: DTLSCertificate(certificate, key: key))
  }

  private init(of made: borrowing DTLSCertificate) throws(OpenSSLError) {
    certificate = unsafe Self.der(of: made.x509)
    guard let fingerprint = unsafe DTLSFingerprint(.sha256, of: made.x509), !certificate.isEmpty
    else { throw OpenSSLError("X509_digest") }
    self.fingerprint = fingerprint
    unsafe context = try unsafe DTLSContext.make(of: made)
  }

  deinit { unsafe SSL_CTX_free(context) }

  private static func der(of x509: OpaquePointer) -> [UInt8] {
    var start: UnsafeMutablePointer<UInt8>?
    let count = unsafe i2d_X509(x509, &start)
    guard count > 0, let start = unsafe start else { return [] }
    defer { unsafe CRYPTO_free(start, nil, 0) }
    return unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(count)))
  }
}

extension DTLSFingerprint {
  /// Creates the hash of an OpenSSL certificate; `nil` if there is no certificate.
  init?(_ hash: FingerprintHash, of x509: OpaquePointer?) {
    var bytes = [UInt8](repeating: 0, count: hash.length)
    guard let x509 = unsafe x509, unsafe X509_digest(x509, hash.digest, &bytes, nil) == 1 else {
      return nil
    }
    self.init(hash, bytes)
  }
}

extension FingerprintHash {
  /// OpenSSL's implementation.
  fileprivate var digest: OpaquePointer? {
    switch self {
    case .sha1: unsafe EVP_sha1()
    case .sha224: unsafe EVP_sha224()
    case .sha256: unsafe EVP_sha256()
    case .sha384: unsafe EVP_sha384()
    case .sha512: unsafe EVP_sha512()
    }
  }
}
