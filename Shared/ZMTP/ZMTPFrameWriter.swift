/// Writes frames (37/ZMTP, "Framing").
public enum ZMTPFrameWriter {
  static let more: UInt8 = 1
  static let long: UInt8 = 2
  static let command: UInt8 = 4

  /// The longest header: flags and a size of eight bytes.
  static let longestHeader = 9

  /// Writes one frame of a message.
  ///
  /// - Parameters:
  ///   - body: The content of the frame, of any size.
  ///   - isLast: Whether the frame is the last frame of the message.
  public static func append(_ body: Span<UInt8>, isLast: Bool = true, to bytes: inout [UInt8]) {
    append(flags: isLast ? 0 : more, body, to: &bytes)
  }

  /// Writes one frame of a message. A closure writes the body directly into the bytes.
  ///
  /// - Parameters:
  ///   - size: The number of bytes in the body.
  ///   - isLast: Whether the frame is the last frame of the message.
  ///   - initializer: Must append exactly `size` bytes to its span.
  public static func append(
    size: Int, isLast: Bool = true, to bytes: inout [UInt8],
    initializingWith initializer: (inout OutputRawSpan) -> Void
  ) {
    appendHeader(flags: isLast ? 0 : more, size: size, to: &bytes)
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: size))
    unsafe bytes.withUnsafeMutableBytes { room in
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: room[start...])
      var output = unsafe OutputRawSpan(buffer: target, initializedCount: 0)
      initializer(&output)
      let written = unsafe output.finalize(for: target)
      precondition(written == size, "The initialiser of a frame must write every byte.")
    }
  }

  /// Returns the size of the header before a body, in bytes.
  public static func headerSize(ofBody size: Int) -> Int { size < 256 ? 2 : longestHeader }

  static func append(flags: UInt8, _ body: Span<UInt8>, to bytes: inout [UInt8]) {
    appendHeader(flags: flags, size: body.count, to: &bytes)
    bytes.append(copying: body)
  }

  static func appendHeader(flags: UInt8, size: Int, to bytes: inout [UInt8]) {
    if size < 256 {
      bytes.append(flags)
      bytes.append(UInt8(size))
    } else {
      bytes.append(flags | long)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: size >> shift))
      }
    }
  }
}

extension Span<UInt8> {
  /// A copy of the bytes as an array.
  var copy: [UInt8] {
    unsafe withUnsafeBufferPointer { unsafe Array($0) }
  }
}

extension [UInt8] {
  /// Appends a copy of the bytes.
  mutating func append(copying bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
