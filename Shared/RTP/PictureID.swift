/// The number of a picture in a payload descriptor (RFC 7741, section 4.2; RFC 9628, section 4.2).
/// The number has a short and a long form, and wraps.
public enum PictureID: Hashable, Sendable {
  /// An id of seven bits, 0–127.
  case short(UInt8)

  /// An id of fifteen bits, 0–32,767.
  case long(UInt16)

  /// The id as a number, without its form.
  public var value: UInt16 {
    switch self {
    case .short(let value): UInt16(value)
    case .long(let value): value
    }
  }

  /// The number of different picture ids in this form. The ids wrap after this number of pictures.
  public var modulus: UInt16 {
    switch self {
    case .short: 1 << 7
    case .long: 1 << 15
    }
  }

  /// The size in bytes.
  var byteCount: Int {
    switch self {
    case .short: 1
    case .long: 2
    }
  }

  /// Reads the id at an offset of a payload; returns `nil` if the id is truncated.
  init?(_ payload: Span<UInt8>, at offset: Int) {
    guard offset < payload.count else { return nil }
    guard payload[offset] & 0x80 != 0 else {
      self = .short(payload[offset])
      return
    }
    guard offset + 1 < payload.count else { return nil }
    self = .long(payload.uint16(at: offset) & 0x7FFF)
  }

  /// Overwrites this id with another number, in the same form.
  func patch(_ packet: inout MutableSpan<UInt8>, at offset: Int, number: UInt16) {
    switch self {
    case .short: packet[offset] = UInt8(truncatingIfNeeded: number) & 0x7F
    case .long: packet.set(0x8000 | number, at: offset)
    }
  }
}
