/// A cipher that protects or opens packets of one kind and direction in place.
///
/// A cipher keeps no state between packets.
enum PacketCipher: ~Copyable, Sendable {
  case gcm(GCMCipher)
  case counterMode(CounterModeCipher)

  init(_ keys: SessionKeys, _ direction: CipherContext.Direction) {
    if let authentication = keys.authentication {
      self = .counterMode(
        CounterModeCipher(key: keys.cipher, salt: keys.salt, authentication: authentication))
    } else {
      self = .gcm(GCMCipher(key: keys.cipher, salt: keys.salt, direction))
    }
  }

  /// Encrypts a packet, and writes the tag and the trailer after the packet.
  ///
  /// - Parameter bytes: The packet, followed by room for the tag and the trailer.
  func protect(_ parts: SRTPPacketParts, in bytes: inout MutableRawSpan) {
    switch self {
    case .gcm(let cipher): unsafe bytes.withUnsafeMutableBytes { unsafe cipher.protect(parts, $0) }
    case .counterMode(let cipher):
      unsafe bytes.withUnsafeMutableBytes { unsafe cipher.protect(parts, $0) }
    }
  }

  /// Decrypts a packet if it is authentic.
  ///
  /// - Parameter bytes: The packet, followed by tag and trailer. If the packet is not authentic,
  ///   its encrypted bytes become zero or remain unchanged.
  /// - Returns: Whether the packet is authentic.
  func open(_ parts: SRTPPacketParts, in bytes: inout MutableRawSpan) -> Bool {
    switch self {
    case .gcm(let cipher):
      unsafe bytes.withUnsafeMutableBytes { unsafe cipher.open(parts, $0) }
    case .counterMode(let cipher):
      unsafe bytes.withUnsafeMutableBytes { unsafe cipher.open(parts, $0) }
    }
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Returns the bytes of a range.
  func part(_ range: Range<Int>) -> UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(rebasing: self[range])
  }

  /// Returns the bytes of a range for reading.
  func readable(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(part(range))
  }

  /// Writes a big-endian number.
  func write(_ number: UInt32, at offset: Int) {
    unsafe storeBytes(of: number.bigEndian, toByteOffset: offset, as: UInt32.self)
  }
}
