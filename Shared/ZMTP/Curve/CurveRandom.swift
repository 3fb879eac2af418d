internal import CSodium

/// The source of keys and long nonces.
enum CurveRandom {
  /// Returns the requested number of unpredictable, unique bytes.
  typealias Source = @Sendable (_ count: Int) -> [UInt8]

  /// The system's random numbers.
  static let system: Source = { count in
    prepare()
    var bytes = [UInt8](repeating: 0, count: count)
    unsafe bytes.withUnsafeMutableBytes { buffer in
      if let start = buffer.baseAddress { unsafe randombytes_buf(start, buffer.count) }
    }
    return bytes
  }

  /// Initializes libsodium before its first use. Repeated calls have no further effect.
  static func prepare() {
    precondition(sodium_init() >= 0, "libsodium needs the system's randomness.")
  }
}
