extension RawSpan {
  /// Returns the byte at an offset, which must be within the span.
  func byte(at offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

  /// Returns the big-endian number of two bytes at an offset.
  ///
  /// Both bytes must be within the span.
  func uint16(at offset: Int) -> UInt16 {
    UInt16(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// Returns the big-endian number of four bytes at an offset.
  ///
  /// All four bytes must be within the span.
  func uint32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
