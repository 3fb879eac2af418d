// Numbers in network byte order, which every format of this module uses. Callers check the bounds
// before they read.
extension Span<UInt8> {
  func uint16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
  }

  func uint24(at offset: Int) -> UInt32 {
    UInt32(self[offset]) << 16 | UInt32(uint16(at: offset + 1))
  }

  func uint32(at offset: Int) -> UInt32 {
    UInt32(uint16(at: offset)) << 16 | UInt32(uint16(at: offset + 2))
  }
}

extension MutableSpan<UInt8> {
  mutating func set(_ value: UInt16, at offset: Int) {
    self[offset] = UInt8(truncatingIfNeeded: value >> 8)
    self[offset + 1] = UInt8(truncatingIfNeeded: value)
  }

  mutating func set(_ value: UInt32, at offset: Int) {
    set(UInt16(truncatingIfNeeded: value >> 16), at: offset)
    set(UInt16(truncatingIfNeeded: value), at: offset + 2)
  }
}

extension [UInt8] {
  mutating func append(networkOrder value: UInt16) {
    append(UInt8(truncatingIfNeeded: value >> 8))
    append(UInt8(truncatingIfNeeded: value))
  }

  mutating func append(networkOrder value: UInt32) {
    append(networkOrder: UInt16(truncatingIfNeeded: value >> 16))
    append(networkOrder: UInt16(truncatingIfNeeded: value))
  }

  /// Appends a copy of the bytes.
  public mutating func append(copying bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Replaces the content with a copy of the bytes, and reuses the storage if the bytes fit.
  public mutating func replaceAll(copying bytes: Span<UInt8>) {
    removeAll(keepingCapacity: true)
    append(copying: bytes)
  }
}
