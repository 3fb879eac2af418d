/// How frames are written (37/ZMTP, "Framing").
public enum ZMTPFrame {
  static let more: UInt8 = 1
  static let long: UInt8 = 2
  static let command: UInt8 = 4

  /// Flags and a size of eight bytes.
  static let longestHeader = 9

  /// Writes one frame of a message.
  ///
  /// - Parameters:
  ///   - body: What it holds; any size.
  ///   - isLast: Whether the message ends with it.
  public static func append(_ body: Span<UInt8>, isLast: Bool = true, to bytes: inout [UInt8]) {
    append(flags: isLast ? 0 : more, body, to: &bytes)
  }

  static func append(flags: UInt8, _ body: Span<UInt8>, to bytes: inout [UInt8]) {
    if body.count < 256 {
      bytes += [flags, UInt8(body.count)]
    } else {
      bytes.append(flags | long)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: body.count >> shift))
      }
    }
    bytes.append(copying: body)
  }
}

extension [UInt8] {
  /// Adds a copy of lent bytes.
  mutating func append(copying bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
