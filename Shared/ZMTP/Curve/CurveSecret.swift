internal import CSodium

/// 32 secret bytes. The release of the last reference wipes the bytes.
@safe final class CurveSecret: @unchecked Sendable {
  // Sendable: only the initialiser and `deinit` write.
  private let bytes: UnsafeMutableBufferPointer<UInt8>

  static let byteCount = 32

  /// - Parameter write: Writes all bytes. The bytes are zero before the call.
  init(_ write: (UnsafeMutablePointer<UInt8>) -> Void) {
    unsafe bytes = .allocate(capacity: Self.byteCount)
    unsafe bytes.initialize(repeating: 0)
    if let start = unsafe bytes.baseAddress { unsafe write(start) }
  }

  /// Copies the bytes of `source`, and wipes `source`.
  convenience init(wiping source: inout [UInt8]) {
    precondition(source.count == Self.byteCount, "A secret has 32 bytes.")
    unsafe self.init { target in
      for index in source.indices { unsafe target[index] = source[index] }
    }
    source.wipe()
  }

  deinit {
    unsafe sodium_memzero(UnsafeMutableRawPointer(bytes.baseAddress), bytes.count)
    unsafe bytes.deallocate()
  }

  /// Passes a pointer to the bytes to `body`.
  func withBytes<R>(_ body: (UnsafePointer<UInt8>) -> R) -> R {
    guard let start = unsafe bytes.baseAddress else { preconditionFailure("A secret has bytes.") }
    return unsafe body(UnsafePointer(start))
  }
}

extension [UInt8] {
  /// Overwrites and drops the bytes, which no other array shares.
  mutating func wipe() {
    unsafe withUnsafeMutableBytes { unsafe sodium_memzero($0.baseAddress, $0.count) }
    self = []
  }
}
