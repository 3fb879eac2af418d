internal import COpenSSL

/// Bytes that nobody else may know. They are wiped when their last holder releases them.
@safe final class SecretBytes: @unchecked Sendable {
  // Sendable: only the initialiser and `deinit` write.
  private let bytes: UnsafeMutableRawBufferPointer

  /// How many bytes there are.
  var count: Int { unsafe bytes.count }

  /// - Parameter write: Writes all bytes, which are zero before.
  init(count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) {
    unsafe bytes = .allocate(byteCount: count, alignment: 16)
    unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
    unsafe write(bytes)
  }

  /// Copies bytes. Their owner wipes the source.
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

  /// Lends the bytes.
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    unsafe body(UnsafeRawBufferPointer(bytes))
  }
}

extension SecretBytes: Hashable {
  /// Takes as long for bytes that differ at once as for those that differ late.
  static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe CRYPTO_memcmp(left.bytes.baseAddress, right.bytes.baseAddress, left.count) == 0
  }

  /// Hashes the count alone: nothing may tell of the bytes.
  func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension [UInt8] {
  /// Overwrites and drops the bytes, which no other array shares.
  mutating func wipe() {
    unsafe withUnsafeMutableBytes { unsafe OPENSSL_cleanse($0.baseAddress, $0.count) }
    self = []
  }
}
