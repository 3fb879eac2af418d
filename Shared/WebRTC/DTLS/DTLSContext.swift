internal import COpenSSL

/// OpenSSL's settings for all sessions of an identity: DTLS 1.2 with the cipher suites of browsers.
enum DTLSContext {
  /// Cipher suites, preferred first.
  ///
  /// RFC 8827 (§6.5) requires the first suite. The suites with RSA are for servers with an RSA key.
  private static let ciphers = """
    ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:\
    ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384
    """

  private static let groups = "X25519:P-256:P-384"

  /// `SSL_OP_NO_QUERY_MTU`, `SSL_OP_NO_TICKET`, `SSL_OP_CIPHER_SERVER_PREFERENCE` and
  /// `SSL_OP_NO_RENEGOTIATION` of <openssl/ssl.h>. Swift cannot import these macros.
  private static let options: UInt64 = 1 << 12 | 1 << 14 | 1 << 22 | 1 << 30

  /// Creates an `SSL_CTX` that the caller frees with `SSL_CTX_free`.
  static func make(
    of certificate: borrowing DTLSCertificate
  ) throws(OpenSSLError) -> OpaquePointer {
    guard let context = unsafe SSL_CTX_new(DTLS_method()) else { throw OpenSSLError("SSL_CTX_new") }
    guard unsafe setSuites(of: context), unsafe setCertificate(certificate, of: context) else {
      unsafe SSL_CTX_free(context)
      throw OpenSSLError("SSL_CTX_ctrl")
    }
    unsafe SSL_CTX_set_options(context, options)
    unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
    unsafe SSL_CTX_set_cert_verify_callback(
      context, { store, _ in unsafe DTLSSession.verify(store) }, nil)
    return unsafe context
  }

  private static func setSuites(of context: OpaquePointer) -> Bool {
    let version = CLong(DTLS1_2_VERSION)
    let off = CLong(SSL_SESS_CACHE_OFF)
    unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, off, nil)
    return unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, version, nil) == 1
      && SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, version, nil) == 1
      && SSL_CTX_set_cipher_list(context, ciphers) == 1
      && setGroups(of: context)
  }

  private static func setGroups(of context: OpaquePointer) -> Bool {
    var list = groups.utf8CString.map { $0 }
    return unsafe list.withUnsafeMutableBytes { list in
      unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_GROUPS_LIST, 0, list.baseAddress) == 1
    }
  }

  private static func setCertificate(
    _ certificate: borrowing DTLSCertificate, of context: OpaquePointer
  ) -> Bool {
    unsafe SSL_CTX_use_certificate(context, certificate.x509) == 1
      && SSL_CTX_use_PrivateKey(context, certificate.key) == 1
  }
}
