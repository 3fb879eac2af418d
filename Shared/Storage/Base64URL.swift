/// The URL-safe base64 alphabet without padding (RFC 4648, §5).
enum Base64URL {
  static func text(of bytes: [UInt8]) -> String {
    var characters: [UInt8] = []
    characters.reserveCapacity((bytes.count * 4 + 2) / 3)
    var (bits, width): (UInt32, Int) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      width += 8
      while width >= 6 {
        width -= 6
        characters.append(alphabet[Int(bits >> UInt32(width)) & 0x3F])
      }
    }
    if width > 0 { characters.append(alphabet[Int(bits << UInt32(6 - width)) & 0x3F]) }
    return String(decoding: characters, as: UTF8.self)
  }

  /// Decodes a text; `nil` for a text that ``text(of:)`` never produces.
  static func bytes(of text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, width): (UInt32, Int) = (0, 0)
    for character in text.utf8 {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      bits = (bits << 6 | UInt32(value)) & 0xFFFF
      width += 6
      guard width >= 8 else { continue }
      width -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(width)))
    }
    return Self.text(of: bytes) == text ? bytes : nil
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
