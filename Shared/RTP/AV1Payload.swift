/// The layout of an AV1 payload: an aggregation header, followed by OBU elements (AOMedia, "RTP
/// Payload Format For AV1", section 4.4).
///
/// An *OBU* (open bitstream unit) is the smallest part of an AV1 stream. An element is a whole OBU,
/// or a fragment of an OBU that spans packets. All OBUs with the same presentation time form a
/// *temporal unit*, which contains the frames of all spatial layers.
public struct AV1Payload: Hashable, Sendable {
  /// Whether the first element continues the last OBU of the previous packet (Z).
  public let continuesUnit: Bool

  /// Whether the last OBU continues in the next packet (Y).
  public let continuesInNext: Bool

  /// Whether the packet is the first packet of a coded video sequence (N), which begins with a key
  /// frame.
  public let startsSequence: Bool

  /// The number of elements; 0 if each element has a length.
  let elementCount: Int

  /// The size of the aggregation header, in bytes.
  static let headerBytes = 1

  /// Parses a payload; returns `nil` if the payload has no element, if an element exceeds the
  /// payload, or if a coded video sequence begins within an OBU.
  public init?(_ payload: Span<UInt8>) {
    guard payload.count > Self.headerBytes else { return nil }
    let header = payload[0]
    continuesUnit = header & 0x80 != 0
    continuesInNext = header & 0x40 != 0
    startsSequence = header & 0x08 != 0
    elementCount = Int(header >> 4 & 0x03)
    guard !(startsSequence && continuesUnit) else { return nil }
    var reader = AV1ElementReader(self)
    while reader.next(in: payload) != nil {}
    guard !reader.isMalformed else { return nil }
  }

  /// Returns the sequence header of a packet that starts a coded video sequence; `nil` if the
  /// packet has no sequence header in the main profile.
  ///
  /// A receiver can start with such a packet.
  public func sequenceHeader(in payload: Span<UInt8>) -> AV1SequenceHeader? {
    guard startsSequence else { return nil }
    var reader = AV1ElementReader(self)
    while let element = reader.next(in: payload) {
      let unit = payload.extracting(element)
      guard AV1UnitHeader(unit)?.kind == .sequenceHeader else { continue }
      return AV1SequenceHeader(unit)
    }
    return nil
  }
}

/// Iterates over the OBU elements of an AV1 payload.
struct AV1ElementReader {
  /// Whether an element exceeds the payload, or is missing.
  private(set) var isMalformed = false

  private var offset = AV1Payload.headerBytes

  /// The number of elements that follow; `nil` if each element has a length.
  private var left: Int?

  init(_ payload: AV1Payload) { left = payload.elementCount == 0 ? nil : payload.elementCount }

  /// Returns the range of the next element; `nil` after the last element.
  mutating func next(in payload: Span<UInt8>) -> Range<Int>? {
    guard !isMalformed, left ?? 1 > 0 else { return nil }
    if left == nil, offset == payload.count { return nil }
    var count = payload.count - offset
    if left != 1 {
      guard let length = AV1Length.read(payload, at: offset),
        length.value <= payload.count - length.end
      else {
        isMalformed = true
        return nil
      }
      (offset, count) = (length.end, length.value)
    }
    // If the header declares the number of elements, the last element has no length field: this
    // element ends with the payload. None of these elements may be empty.
    guard left == nil || count > 0 else {
      isMalformed = true
      return nil
    }
    left = left.map { $0 - 1 }
    defer { offset += count }
    return offset..<offset + count
  }
}

/// A number of bytes in the variable-length form of AV1 (AV1 bitstream specification, section
/// 4.10.5): seven bits in each byte, the lowest bits first.
enum AV1Length {
  /// The maximum size of a length in bytes. Longer lengths exceed every packet.
  private static let mostBytes = 4

  /// Reads a length; returns `nil` if the length is truncated or too large.
  static func read(_ bytes: Span<UInt8>, at start: Int) -> (value: Int, end: Int)? {
    var value = 0
    for index in 0..<mostBytes {
      guard start + index < bytes.count else { return nil }
      let byte = bytes[start + index]
      value |= Int(byte & 0x7F) << (7 * index)
      if byte & 0x80 == 0 { return (value, start + index + 1) }
    }
    return nil
  }

  /// Appends a length.
  static func append(_ value: Int, to bytes: inout [UInt8]) {
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
