/// The initial vector of a packet: the salt, XORed with the SSRC and the index.
///
/// A salt need not be secret (RFC 3711, section 3.2.1), so this type does not wipe the salt.
///
/// In counter mode, the SSRC and the index are two bytes later than in GCM (RFC 7714, sections 8.1
/// and 9.1). The last two bytes count blocks (RFC 3711, section 4.1.1).
struct InitialVector {
  /// The first eight bytes and the last eight bytes, big-endian.
  private(set) var halves: (UInt64, UInt64)

  /// - Parameter halves: The first eight bytes and the last eight bytes.
  init(halves: (UInt64, UInt64)) { self.halves = halves }

  /// Creates a vector from the salt, followed by zeros.
  init(salt: SecretBytes) {
    var halves: (UInt64, UInt64) = (0, 0)
    for offset in 0..<8 {
      halves.0 = halves.0 << 8 | UInt64(salt.byte(at: offset))
      halves.1 = halves.1 << 8 | UInt64(salt.byte(at: offset + 8))
    }
    self.halves = halves
  }

  /// Returns the vector of a packet in counter mode.
  func counterMode(ssrc: UInt32, index: UInt64) -> InitialVector {
    InitialVector(halves: (halves.0 ^ UInt64(ssrc), halves.1 ^ index << 16))
  }

  /// Returns the vector of a packet in GCM.
  ///
  /// The last four bytes of the vector have no meaning.
  func gcm(ssrc: UInt32, index: UInt64) -> InitialVector {
    let first = halves.0 ^ UInt64(ssrc) << 16 ^ index >> 32
    return InitialVector(halves: (first, halves.1 ^ index << 32))
  }

  /// Calls `body` with the 16 bytes.
  func withBytes<R>(_ body: (UnsafePointer<UInt8>?) -> R) -> R {
    let bigEndian = (halves.0.bigEndian, halves.1.bigEndian)
    return unsafe withUnsafeBytes(of: bigEndian) {
      unsafe body($0.assumingMemoryBound(to: UInt8.self).baseAddress)
    }
  }
}

extension SecretBytes {
  /// Returns the byte at an offset, or zero after the end.
  fileprivate func byte(at offset: Int) -> UInt8 {
    unsafe withBytes { unsafe offset < $0.count ? $0[offset] : 0 }
  }
}
