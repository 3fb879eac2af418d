/// AES in counter mode with HMAC-SHA1 for packets of one kind and direction (RFC 3711, section 4).
struct CounterModeCipher: ~Copyable, Sendable {
  private let context: CipherContext
  private let salt: InitialVector
  private let digest: HMACSHA1

  private static let tagLength = 10

  init(key: SecretBytes, salt: SecretBytes, authentication: SecretBytes) {
    context = CipherContext(.counterMode, .encrypt, key: key)
    self.salt = InitialVector(salt: salt)
    digest = HMACSHA1(key: authentication)
  }

  /// Encrypts a packet, and appends the packet's trailer and then its tag.
  func protect(_ parts: SRTPPacketParts, _ bytes: UnsafeMutableRawBufferPointer) {
    unsafe apply(parts, bytes)
    if case .srtcp(let word) = parts.trailer { unsafe bytes.write(word, at: parts.count) }
    unsafe digest.authenticate(
      bytes.readable(0..<parts.count), parts.trailer.number, to: tag(of: parts, bytes))
  }

  /// Decrypts an authentic packet. Leaves any other packet unchanged.
  func open(_ parts: SRTPPacketParts, _ bytes: UnsafeMutableRawBufferPointer) -> Bool {
    let tag = unsafe UnsafeRawBufferPointer(tag(of: parts, bytes))
    guard
      unsafe digest.isAuthentic(
        bytes.readable(0..<parts.count), parts.trailer.number, tag: tag)
    else { return false }
    unsafe apply(parts, bytes)
    return true
  }

  private func apply(_ parts: SRTPPacketParts, _ bytes: UnsafeMutableRawBufferPointer) {
    context.begin(salt.counterMode(ssrc: parts.ssrc, index: parts.index))
    unsafe context.apply(to: bytes.part(parts.clearCount..<parts.count))
  }

  private func tag(
    of parts: SRTPPacketParts, _ bytes: UnsafeMutableRawBufferPointer
  ) -> UnsafeMutableRawBufferPointer {
    let start = parts.count + parts.trailer.sentLength
    return unsafe bytes.part(start..<(start + Self.tagLength))
  }
}
