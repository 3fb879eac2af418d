internal import COpenSSL

/// A self-signed OpenSSL certificate. OpenSSL frees the certificate at the destruction of this
/// value.
@safe struct DTLSCertificate: ~Copyable {
  let key: OpaquePointer
  let x509: OpaquePointer

  /// Creates a key on the curve P-256 and a certificate for this key.
  ///
  /// - Parameter now: Seconds since 1970-01-01T00:00:00Z. The certificate is valid from one day
  ///   before this time until 29 days after this time.
  init(at now: Int64) throws(OpenSSLError) {
    guard let key = unsafe Self.makeKey() else { throw OpenSSLError("EVP_PKEY_keygen") }
    guard let x509 = unsafe Self.makeCertificate(of: key, at: now) else {
      unsafe EVP_PKEY_free(key)
      throw OpenSSLError("X509_sign")
    }
    unsafe (self.key, self.x509) = unsafe (key, x509)
  }

  /// Reads a certificate and its key.
  ///
  /// - Parameters:
  ///   - certificate: The certificate as DER (RFC 5280).
  ///   - key: The key as DER, in PKCS #8 form or in the traditional form of the key's algorithm.
  init(_ certificate: [UInt8], key: [UInt8]) throws(OpenSSLError) {
    let read = unsafe certificate.withUnsafeBufferPointer { der in
      var start = der.baseAddress
      return unsafe d2i_X509(nil, &start, der.count)
    }
    guard let x509 = unsafe read else { throw OpenSSLError("d2i_X509") }
    guard let key = unsafe Self.readKey(key) else {
      unsafe X509_free(x509)
      throw OpenSSLError("d2i_AutoPrivateKey")
    }
    unsafe (self.key, self.x509) = unsafe (key, x509)
  }

  deinit {
    unsafe X509_free(x509)
    unsafe EVP_PKEY_free(key)
  }

  private static func readKey(_ der: [UInt8]) -> OpaquePointer? {
    unsafe der.withUnsafeBufferPointer { der in
      var start = der.baseAddress
      return unsafe d2i_AutoPrivateKey(nil, &start, der.count)
    }
  }

  private static func makeKey() -> OpaquePointer? {
    let context = unsafe EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil)
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard unsafe EVP_PKEY_keygen_init(context) == 1,
      unsafe EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
      unsafe EVP_PKEY_keygen(context, &key) == 1
    else { return nil }
    return unsafe key
  }

  private static func makeCertificate(of key: OpaquePointer, at now: Int64) -> OpaquePointer? {
    guard let x509 = unsafe X509_new() else { return nil }
    guard unsafe fill(x509, with: key, at: now) else {
      unsafe X509_free(x509)
      return nil
    }
    return unsafe x509
  }

  private static func fill(_ x509: OpaquePointer, with key: OpaquePointer, at now: Int64) -> Bool {
    let name = unsafe X509_get_subject_name(x509)
    return unsafe X509_set_version(x509, 2) == 1
      && setSerial(of: x509)
      && X509_NAME_add_entry_by_txt(name, "CN", utf8, "Carillon", -1, -1, 0) == 1
      && X509_set_issuer_name(x509, name) == 1
      && ASN1_TIME_set(X509_getm_notBefore(x509), time_t(now - day)) != nil
      && ASN1_TIME_set(X509_getm_notAfter(x509), time_t(now + 29 * day)) != nil
      && X509_set_pubkey(x509, key) == 1
      && X509_sign(x509, key, EVP_sha256()) > 0
  }

  /// Sets a random serial number of 63 bits, which is never 0.
  private static func setSerial(of x509: OpaquePointer) -> Bool {
    let serial = Int64.random(in: 1...Int64.max)
    return unsafe ASN1_INTEGER_set_int64(X509_get_serialNumber(x509), serial) == 1
  }

  private static let day: Int64 = 86_400

  /// `MBSTRING_UTF8` of <openssl/asn1.h>.
  private static let utf8: CInt = 0x1000
}
