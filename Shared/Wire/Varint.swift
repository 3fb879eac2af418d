/// Protobuf's variable-length integers, limited to the 32 bits that frames need: 1 to 5 bytes.
enum Varint {
  /// Returns the encoded size of `value` in bytes, 1-5.
  static func count(_ value: Int) -> Int {
    let bits = UInt32.bitWidth - UInt32(value).leadingZeroBitCount
    return max(1, (bits + 6) / 7)
  }

  @unsafe static func write(_ value: Int, to buffer: UnsafeMutableBufferPointer<UInt8>) {
    var rest = UInt32(value)
    var index = 0
    while rest >= 0x80 {
      unsafe buffer[index] = UInt8(truncatingIfNeeded: rest) | 0x80
      rest >>= 7
      index += 1
    }
    unsafe buffer[index] = UInt8(rest)
  }

  /// Reads the number at the start of `bytes`.
  ///
  /// - Returns: The number, and the offset of the byte after the number.
  /// - Throws: `truncated` if the bytes end within the number; `malformedLength` if the number
  ///   exceeds 32 bits or five bytes.
  static func read(_ bytes: RawSpan) throws(WireError) -> (value: UInt32, end: Int) {
    var value: UInt64 = 0
    for index in 0..<5 {
      guard index < bytes.byteCount else { throw .truncated }
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
      value |= UInt64(byte & 0x7f) << (7 * index)
      guard byte & 0x80 != 0 else {
        guard let value = UInt32(exactly: value) else { throw .malformedLength }
        return (value, index + 1)
      }
    }
    throw .malformedLength
  }
}
