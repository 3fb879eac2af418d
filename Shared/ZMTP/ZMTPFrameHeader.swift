/// The flags and the size of a frame (37/ZMTP, "Framing").
struct ZMTPFrameHeader {
  let flags: UInt8

  /// The number of bytes of the following body, within the range of an `Int`.
  let size: Int

  var isCommand: Bool { flags & ZMTPFrameWriter.command != 0 }
  var isLast: Bool { flags & ZMTPFrameWriter.more == 0 }

  /// The size of the header: 2 bytes, or 9 bytes if the header contains a long size.
  var byteCount: Int { Self.byteCount(flags) }

  /// Parses a header.
  ///
  /// - Parameter bytes: The header's first bytes and any bytes after them; at least one byte.
  /// - Returns: `nil` while the header is incomplete.
  /// - Throws: ``ZMTPError/flags(_:)`` or ``ZMTPError/frameSize``.
  init?(_ bytes: Span<UInt8>) throws(ZMTPError) {
    flags = bytes[0]
    let known = ZMTPFrameWriter.more | ZMTPFrameWriter.long | ZMTPFrameWriter.command
    guard flags & ~known == 0,
      flags & ZMTPFrameWriter.command == 0 || flags & ZMTPFrameWriter.more == 0
    else { throw .flags(flags) }
    let byteCount = Self.byteCount(flags)
    guard bytes.count >= byteCount else { return nil }
    var size: UInt64 = 0
    for index in 1..<byteCount { size = size << 8 | UInt64(bytes[index]) }
    guard let size = Int(exactly: size) else { throw .frameSize }
    self.size = size
  }

  private static func byteCount(_ flags: UInt8) -> Int {
    flags & ZMTPFrameWriter.long == 0 ? 2 : ZMTPFrameWriter.longestHeader
  }
}
