internal import COpenSSL

/// An OpenSSL cipher with its key.
///
/// A context has one owner. OpenSSL wipes the context at its destruction (`EVP_EncryptInit(3ssl)`).
/// The same context encrypts or decrypts every packet. Calls on an existing context allocate
/// nothing.
@safe struct CipherContext: ~Copyable, @unchecked Sendable {
  // Sendable: the value has one owner, and nothing else refers to the context.
  private let context: OpaquePointer

  /// The direction of the context.
  ///
  /// Counter mode works the same way in both directions.
  enum Direction: CInt {
    case decrypt = 0
    case encrypt = 1
  }

  /// The cipher and its mode.
  enum Kind {
    case counterMode
    case gcm
  }

  init(_ kind: Kind, _ direction: Direction, key: SecretBytes) {
    guard let context = unsafe EVP_CIPHER_CTX_new() else {
      preconditionFailure("OpenSSL has memory for a cipher.")
    }
    let cipher = unsafe Self.cipher(kind, keyLength: key.count)
    let result = unsafe key.withBytes { key in
      unsafe EVP_CipherInit_ex(
        context, cipher, nil, key.assumingMemoryBound(to: UInt8.self).baseAddress, nil,
        direction.rawValue)
    }
    precondition(result == 1, "OpenSSL has AES.")
    unsafe self.context = context
  }

  deinit { unsafe EVP_CIPHER_CTX_free(context) }

  private static func cipher(_ kind: Kind, keyLength: Int) -> OpaquePointer? {
    switch (kind, keyLength) {
    case (.counterMode, 32): unsafe EVP_aes_256_ctr()
    case (.counterMode, _): unsafe EVP_aes_128_ctr()
    case (.gcm, 32): unsafe EVP_aes_256_gcm()
    case (.gcm, _): unsafe EVP_aes_128_gcm()
    }
  }

  /// Begins a packet.
  func begin(_ vector: InitialVector) {
    let result = unsafe vector.withBytes {
      unsafe EVP_CipherInit_ex(context, nil, nil, nil, $0, -1)
    }
    precondition(result == 1, "A cipher with a key takes an initial vector.")
  }

  /// Authenticates bytes without changing them (GCM only).
  func authenticate(_ bytes: UnsafeRawBufferPointer) {
    var written: CInt = 0
    let result = unsafe EVP_CipherUpdate(
      context, nil, &written, bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
      CInt(bytes.count))
    precondition(result == 1, "A cipher takes associated data.")
  }

  /// Encrypts or decrypts bytes in place.
  func apply(to bytes: UnsafeMutableRawBufferPointer) {
    guard bytes.count > 0 else { return }
    var written: CInt = 0
    let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress
    let result = unsafe EVP_CipherUpdate(context, start, &written, start, CInt(bytes.count))
    precondition(result == 1 && Int(written) == bytes.count, "A cipher keeps the length.")
  }

  /// Ends a packet and writes its tag (GCM, encrypting).
  func finish(writingTagTo tag: UnsafeMutableRawBufferPointer) {
    precondition(isFinished(), "An encrypted packet can be ended.")
    let result = unsafe EVP_CIPHER_CTX_ctrl(
      context, EVP_CTRL_AEAD_GET_TAG, CInt(tag.count), tag.baseAddress)
    precondition(result == 1, "An encrypted packet has a tag.")
  }

  /// Ends a packet (GCM, decrypting).
  ///
  /// - Returns: Whether the tag matches the packet.
  func finish(comparing tag: UnsafeMutableRawBufferPointer) -> Bool {
    let result = unsafe EVP_CIPHER_CTX_ctrl(
      context, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), tag.baseAddress)
    precondition(result == 1, "A cipher takes a tag.")
    return isFinished()
  }

  private func isFinished() -> Bool {
    var unused = InlineArray<16, UInt8>(repeating: 0)
    var written: CInt = 0
    var bytes = unused.mutableSpan
    return unsafe bytes.withUnsafeMutableBufferPointer {
      unsafe EVP_CipherFinal_ex(context, $0.baseAddress, &written) == 1
    }
  }
}
