internal import COpenSSL

/// Secret bytes. The release of the last reference wipes the bytes.
@safe final class SecretBytes: @unchecked Sendable {
  // Sendable: only the initialiser and `deinit` write.
  private let bytes: UnsafeMutableRawBufferPointer

  /// The number of bytes.
  var count: Int { unsafe bytes.count }

  /// - Parameter write: Writes all bytes, which are initially zero.
  init(count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) {
    unsafe bytes = .allocate(byteCount: count, alignment: 16)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
    unsafe write(bytes)
  }

  /// Copies bytes.
  ///
  /// The owner of the source wipes the source.
  convenience init(_ source: borrowing RawSpan) {
    let source = copy source
    unsafe self.init(count: source.byteCount) { target in
      unsafe source.withUnsafeBytes { unsafe target.copyMemory(from: $0) }
    }
  }

  deinit {
    unsafe OPENSSL_cleanse(bytes.baseAddress, bytes.count)
    unsafe bytes.deallocate()
  }

  /// Calls `body` with the bytes.
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    unsafe body(UnsafeRawBufferPointer(bytes))
  }
}

extension SecretBytes: Hashable {
  /// Compares in a time that does not depend on the bytes.
  static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe CRYPTO_memcmp(left.bytes.baseAddress, right.bytes.baseAddress, left.count) == 0
  }

  /// Hashes only the count, so that the hash reveals nothing about the bytes.
  func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension [UInt8] {
  /// Overwrites and removes the bytes, which no other array may share.
  mutating func wipe() {
    unsafe withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
    self = []
  }
}
