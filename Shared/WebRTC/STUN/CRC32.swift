/// The CRC-32 of ISO 3309, used by FINGERPRINT (RFC 8489, §14.7).
enum CRC32 {
  static func sum(of bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
  }

  private static let table: [UInt32] = (0..<256).map { (index: UInt32) in
    (0..<8).reduce(index) { sum, _ in sum & 1 == 0 ? sum >> 1 : 0xEDB8_8320 ^ (sum >> 1) }
  }
}
