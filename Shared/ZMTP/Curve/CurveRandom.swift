internal import CSodium

/// Where keys and long nonces come from.
enum CurveRandom {
  /// Answers with as many bytes as are asked for, which nobody can guess and which never come
  /// again.
  typealias Source = @Sendable (_ count: Int) -> [UInt8]

  /// The system's randomness.
  static let system: Source = { count in
    prepare()
    var bytes = [UInt8](repeating: 0, count: count)
    unsafe bytes.withUnsafeMutableBytes { buffer in
      if let start = buffer.baseAddress { unsafe randombytes_buf(start, buffer.count) }
    }
    return bytes
  }

  /// Must have been called before anything else of libsodium is; any number of times.
  static func prepare() {
    precondition(sodium_init() >= 0, "libsodium needs the system's randomness.")
  }
}
