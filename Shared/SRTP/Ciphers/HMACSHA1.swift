internal import COpenSSL

/// HMAC-SHA1 with its key (RFC 2104).
///
/// A value of this type has one owner. At its destruction, the value wipes its hash states. This
/// type uses OpenSSL's SHA-1 directly, because the EVP functions of OpenSSL 3.0 allocate memory for
/// each message. The initializer hashes the key's two blocks once, and each message continues from
/// the two resulting states.
@safe struct HMACSHA1: ~Copyable, @unchecked Sendable {
  // Sendable: the value has one owner, and nothing else refers to the states.
  /// The digest after the inner block, the digest after the outer block, and the message's digest.
  private let states: UnsafeMutablePointer<SHA_CTX>

  private static let blockLength = 64
  private static let digestLength = 20

  init(key: SecretBytes) {
    unsafe states = .allocate(capacity: 3)
    unsafe states.initialize(repeating: SHA_CTX(), count: 3)
    unsafe Self.begin(states, key, with: 0x36)
    unsafe Self.begin(states + 1, key, with: 0x5c)
  }

  deinit {
    unsafe OPENSSL_cleanse(states, 3 * MemoryLayout<SHA_CTX>.stride)
    unsafe states.deallocate()
  }

  /// Hashes the key's block.
  ///
  /// SRTP keys have 20 bytes, fewer than a block.
  private static func begin(
    _ state: UnsafeMutablePointer<SHA_CTX>, _ key: SecretBytes, with byte: UInt8
  ) {
    precondition(key.count <= blockLength, "A key is no longer than a block.")
    let block = unsafe SecretBytes(count: blockLength) { target in
      unsafe key.withBytes { unsafe target.copyMemory(from: $0) }
      for offset in 0..<blockLength { unsafe target[offset] ^= byte }
    }
    precondition(unsafe SHA1_Init(state) == 1, "OpenSSL has SHA-1.")
    unsafe block.withBytes { unsafe add($0, to: state) }
  }

  /// Authenticates a message followed by a number, and writes the first bytes of the authentication
  /// code.
  func authenticate(
    _ message: UnsafeRawBufferPointer, _ number: UInt32, to tag: UnsafeMutableRawBufferPointer
  ) {
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.digestLength, alignment: 8) { digest in
      let working = unsafe states + 2
      unsafe working.pointee = states[0]
      unsafe Self.add(message, to: working)
      unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Self.add($0, to: working) }
      unsafe Self.finish(working, to: digest)
      unsafe working.pointee = states[1]
      unsafe Self.add(UnsafeRawBufferPointer(digest), to: working)
      unsafe Self.finish(working, to: digest)
      unsafe tag.copyMemory(from: UnsafeRawBufferPointer(rebasing: digest[..<tag.count]))
    }
  }

  /// Returns whether a tag matches a message followed by a number.
  ///
  /// The comparison takes constant time.
  func isAuthentic(
    _ message: UnsafeRawBufferPointer, _ number: UInt32, tag: UnsafeRawBufferPointer
  ) -> Bool {
    unsafe withUnsafeTemporaryAllocation(byteCount: tag.count, alignment: 8) { expected in
      unsafe authenticate(message, number, to: expected)
      return unsafe CRYPTO_memcmp(expected.baseAddress, tag.baseAddress, tag.count) == 0
    }
  }

  private static func add(
    _ bytes: UnsafeRawBufferPointer, to state: UnsafeMutablePointer<SHA_CTX>
  ) {
    let result = unsafe SHA1_Update(state, bytes.baseAddress, bytes.count)
    precondition(result == 1, "A digest takes bytes.")
  }

  private static func finish(
    _ state: UnsafeMutablePointer<SHA_CTX>, to digest: UnsafeMutableRawBufferPointer
  ) {
    let start = unsafe digest.assumingMemoryBound(to: UInt8.self).baseAddress
    precondition(unsafe SHA1_Final(start, state) == 1, "A digest can be ended.")
  }
}
