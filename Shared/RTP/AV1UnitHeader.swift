/// The header of an OBU (AV1 bitstream specification, section 5.3.2).
struct AV1UnitHeader: Hashable, Sendable {
  /// The kinds of OBUs that this module distinguishes.
  enum Kind: Hashable, Sendable {
    case sequenceHeader
    case temporalDelimiter
    case other
  }

  let kind: Kind

  /// Whether the length of the OBU follows the header. RTP payloads should omit this length.
  let hasLength: Bool

  /// The size of the header in bytes, without the length.
  let byteCount: Int

  /// Parses a header; returns `nil` if the header is truncated, or if its forbidden bit is set.
  init?(_ unit: Span<UInt8>) {
    guard unit.count > 0, unit[0] & 0x80 == 0 else { return nil }
    kind =
      switch unit[0] >> 3 & 0x0F {
      case 1: .sequenceHeader
      case 2: .temporalDelimiter
      default: .other
      }
    hasLength = unit[0] & 0x02 != 0
    byteCount = unit[0] & 0x04 != 0 ? 2 : 1
    guard byteCount <= unit.count else { return nil }
  }

  /// Returns the content of an OBU without its header and its length; `nil` if the length exceeds
  /// the OBU.
  func content(of unit: Span<UInt8>) -> Range<Int>? {
    guard hasLength else { return byteCount..<unit.count }
    guard let length = AV1Length.read(unit, at: byteCount), length.value <= unit.count - length.end
    else { return nil }
    return length.end..<length.end + length.value
  }
}
