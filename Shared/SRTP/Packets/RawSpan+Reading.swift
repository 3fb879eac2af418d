extension RawSpan {
  /// The byte at an offset, which must be within the span.
  func byte(at offset: Int) -> UInt8 { unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self) }

  /// The big-endian number at an offset, which must be within the span with its two bytes.
  func uint16(at offset: Int) -> UInt16 {
    UInt16(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
  }

  /// The big-endian number at an offset, which must be within the span with its four bytes.
  func uint32(at offset: Int) -> UInt32 {
    UInt32(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
