/// AES in Galois/Counter Mode for packets of one kind and direction (RFC 7714).
struct GCMCipher: ~Copyable, Sendable {
  private let context: CipherContext
  private let salt: InitialVector

  private static let tagLength = 16

  init(key: SecretBytes, salt: SecretBytes, _ direction: CipherContext.Direction) {
    context = CipherContext(.gcm, direction, key: key)
    self.salt = InitialVector(salt: salt)
  }

  /// Encrypts a packet, and appends the packet's tag and then its trailer.
  func protect(_ parts: SRTPPacketParts, _ bytes: UnsafeMutableRawBufferPointer) {
    unsafe begin(parts, bytes)
    unsafe context.apply(to: bytes.part(parts.clearCount..<parts.count))
    unsafe context.finish(writingTagTo: tag(of: parts, bytes))
    if case .srtcp(let word) = parts.trailer {
      unsafe bytes.write(word, at: parts.count + Self.tagLength)
    }
  }

  /// Decrypts a packet.
  ///
  /// If the packet is not authentic, its encrypted bytes become zero.
  func open(_ parts: SRTPPacketParts, _ bytes: UnsafeMutableRawBufferPointer) -> Bool {
    unsafe begin(parts, bytes)
    let secret = unsafe bytes.part(parts.clearCount..<parts.count)
    unsafe context.apply(to: secret)
    if unsafe context.finish(comparing: tag(of: parts, bytes)) { return true }
    unsafe secret.initializeMemory(as: UInt8.self, repeating: 0)
    return false
  }

  /// Begins a packet.
  ///
  /// The packet's clear bytes are associated data, and so is the trailer if it is part of the
  /// transmitted packet (RFC 7714, sections 8.2 and 9.2).
  private func begin(_ parts: SRTPPacketParts, _ bytes: UnsafeMutableRawBufferPointer) {
    context.begin(salt.gcm(ssrc: parts.ssrc, index: parts.index))
    unsafe context.authenticate(bytes.readable(0..<parts.clearCount))
    guard case .srtcp(let word) = parts.trailer else { return }
    unsafe withUnsafeBytes(of: word.bigEndian) { unsafe context.authenticate($0) }
  }

  private func tag(
    of parts: SRTPPacketParts, _ bytes: UnsafeMutableRawBufferPointer
  ) -> UnsafeMutableRawBufferPointer {
    unsafe bytes.part(parts.count..<(parts.count + Self.tagLength))
  }
}
