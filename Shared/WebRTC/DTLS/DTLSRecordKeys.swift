internal import COpenSSL

/// The key of one direction of a DTLS 1.2 association. The key protects the records (RFC 5288, RFC
/// 7905).
///
/// The release of the last reference wipes the key.
@safe final class DTLSRecordKey {
  /// The authenticated ciphers of ``DTLSContext``.
  enum Cipher {
    case aes128GCM
    case aes256GCM
    case chaCha20Poly1305

    /// - Parameter number: OpenSSL's number of the cipher.
    init?(_ number: CInt) {
      switch number {
      case NID_aes_128_gcm: self = .aes128GCM
      case NID_aes_256_gcm: self = .aes256GCM
      case NID_chacha20_poly1305: self = .chaCha20Poly1305
      default: return nil
      }
    }

    var keyLength: Int { self == .aes128GCM ? 16 : 32 }

    /// The number of nonce bytes from the handshake.
    var fixedLength: Int { self == .chaCha20Poly1305 ? 12 : 4 }

    /// The number of nonce bytes in each record.
    var explicitLength: Int { self == .chaCha20Poly1305 ? 0 : 8 }

    fileprivate var implementation: OpaquePointer? {
      switch self {
      case .aes128GCM: unsafe EVP_aes_128_gcm()
      case .aes256GCM: unsafe EVP_aes_256_gcm()
      case .chaCha20Poly1305: unsafe EVP_chacha20_poly1305()
      }
    }
  }

  let cipher: Cipher
  private var key: [UInt8]
  private let fixed: [UInt8]

  static let tagLength = 16

  init(_ cipher: Cipher, key: ArraySlice<UInt8>, fixed: ArraySlice<UInt8>) {
    (self.cipher, self.key, self.fixed) = (cipher, Array(key), Array(fixed))
  }

  deinit { key.cleanse() }

  /// Encrypts the content of a record.
  ///
  /// - Parameters:
  ///   - explicit: The nonce that the record carries.
  ///   - number: Epoch and sequence number of the record, 8 bytes.
  /// - Returns: The fragment of the record, or `nil` if OpenSSL is out of memory.
  func seal(
    _ content: [UInt8], type: UInt8, number: [UInt8], explicit: [UInt8]
  ) -> [UInt8]? {
    guard let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    var (tag, written) = ([UInt8](repeating: 0, count: Self.tagLength), CInt(0))
    guard
      let sealed = unsafe apply(
        context, encrypts: 1, content, nonce(number, explicit),
        associated(type, number, content.count)),
      unsafe EVP_CipherFinal_ex(context, nil, &written) == 1,
      unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tag.count), &tag) == 1
    else { return nil }
    return explicit + sealed + tag
  }

  /// Decrypts the fragment of a record.
  ///
  /// - Returns: The content, or `nil` if the fragment is not authentic.
  func open(_ fragment: [UInt8], type: UInt8, number: [UInt8]) -> [UInt8]? {
    let overhead = cipher.explicitLength + Self.tagLength
    guard fragment.count >= overhead, let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    let explicit = Array(fragment.prefix(cipher.explicitLength))
    let sealed = Array(fragment.dropFirst(explicit.count).dropLast(Self.tagLength))
    var (tag, written) = (Array(fragment.suffix(Self.tagLength)), CInt(0))
    guard
      let content = unsafe apply(
        context, encrypts: 0, sealed, nonce(number, explicit),
        associated(type, number, sealed.count)),
      unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), &tag) == 1,
      unsafe EVP_CipherFinal_ex(context, nil, &written) == 1
    else { return nil }
    return content
  }

  private func apply(
    _ context: OpaquePointer, encrypts: CInt, _ input: [UInt8], _ nonce: [UInt8],
    _ associated: [UInt8]
  ) -> [UInt8]? {
    var (output, written) = ([UInt8](repeating: 0, count: input.count), CInt(0))
    guard
      unsafe EVP_CipherInit_ex(context, cipher.implementation, nil, key, nonce, encrypts) == 1,
      unsafe EVP_CipherUpdate(context, nil, &written, associated, CInt(associated.count)) == 1,
      unsafe EVP_CipherUpdate(context, &output, &written, input, CInt(input.count)) == 1
    else { return nil }
    return output
  }

  private func nonce(_ number: [UInt8], _ explicit: [UInt8]) -> [UInt8] {
    guard cipher == .chaCha20Poly1305 else { return fixed + explicit }
    return zip(fixed, [0, 0, 0, 0] + number).map { $0 ^ $1 }
  }

  /// Returns the data that the cipher authenticates in addition to a record's content (RFC 5246,
  /// §6.2.3.3).
  private func associated(_ type: UInt8, _ number: [UInt8], _ count: Int) -> [UInt8] {
    number + [type, 0xfe, 0xfd, UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
  }
}

extension [UInt8] {
  /// Overwrites the bytes, which no other array may share.
  mutating func cleanse() {
    unsafe withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
  }
}

extension DTLSSession {
  /// Returns the keys of both directions (RFC 5246, §6.3); `nil` if OpenSSL does not disclose them.
  func recordKeys() -> (client: DTLSRecordKey, server: DTLSRecordKey)? {
    guard let suite = unsafe SSL_get_current_cipher(handle),
      let cipher = unsafe DTLSRecordKey.Cipher(SSL_CIPHER_get_cipher_nid(suite))
    else { return nil }
    let (key, fixed) = (cipher.keyLength, cipher.fixedLength)
    var block = [UInt8](repeating: 0, count: 2 * (key + fixed))
    defer { block.cleanse() }
    guard unsafe expand(into: &block, SSL_CIPHER_get_handshake_digest(suite)) else { return nil }
    return (
      DTLSRecordKey(cipher, key: block[..<key], fixed: block[(2 * key)...].prefix(fixed)),
      DTLSRecordKey(cipher, key: block[key..<(2 * key)], fixed: block.suffix(fixed))
    )
  }

  private func expand(into block: inout [UInt8], _ digest: OpaquePointer?) -> Bool {
    var master = [UInt8](repeating: 0, count: 48)
    defer { master.cleanse() }
    guard let session = unsafe SSL_get_session(handle),
      unsafe SSL_SESSION_get_master_key(session, &master, master.count) == master.count,
      let context = unsafe EVP_PKEY_CTX_new_id(NID_tls1_prf, nil)
    else { return false }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    let seed = Array("key expansion".utf8) + randoms
    var count = block.count
    return unsafe EVP_PKEY_derive_init(context) == 1
      && EVP_PKEY_CTX_set_tls1_prf_md(context, digest) == 1
      && EVP_PKEY_CTX_set1_tls1_prf_secret(context, master, CInt(master.count)) == 1
      && EVP_PKEY_CTX_add1_tls1_prf_seed(context, seed, CInt(seed.count)) == 1
      && EVP_PKEY_derive(context, &block, &count) == 1
  }

  /// The random bytes of both hellos, first the server's bytes.
  private var randoms: [UInt8] {
    var (server, client) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
    _ = unsafe SSL_get_server_random(handle, &server, 32)
    _ = unsafe SSL_get_client_random(handle, &client, 32)
    return server + client
  }
}
