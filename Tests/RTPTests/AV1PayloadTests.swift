import RTP
import Testing

@Suite struct AV1PayloadTests {
  /// A sequence header with timing, a decoder model and two operating points of 320 × 180.
  private static let detailed: [UInt8] = [
    0x08, 0x04, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x7A, 0x5A, 0x40, 0x00, 0x00, 0x00,
    0x52, 0x98, 0x44, 0x0D, 0x18, 0x0E, 0x03, 0xE6, 0x20, 0x28, 0xC0, 0x70, 0x1F, 0x38, 0x89,
    0xFA, 0xCC, 0x00, 0x00, 0x20,
  ]

  /// A sequence header of three spatial and three temporal layers, up to 1280 × 720.
  private static let layered: [UInt8] = [
    0x08, 0x00, 0x17, 0x07, 0x2B, 0x81, 0x97, 0xFC, 0x13, 0xFC, 0x0B, 0x3C, 0x00, 0x00, 0x20,
  ]

  @Test(
    arguments: [
      (Stream.sequenceHeader, 640, 360, 1, 1), (layered, 1_280, 720, 3, 3),
      (detailed, 320, 180, 2, 1), ([0x08, 0x19, 0x55, 0x3F, 0xF8, 0x00, 0x00, 0x40], 64, 32, 1, 1),
    ] as [([UInt8], Int, Int, Int, Int)])
  func `a sequence header contains the size and the layers`(
    bytes: [UInt8], width: Int, height: Int, temporal: Int, spatial: Int
  ) throws {
    let header = try #require(AV1SequenceHeader(bytes))
    #expect(header.width == width && header.height == height)
    #expect(header.temporalLayers == temporal && header.spatialLayers == spatial)
    // The reader also accepts the same header with a length field, and with an extension and a
    // length field.
    let content = bytes.dropFirst()
    #expect(AV1SequenceHeader([0x0A, UInt8(content.count)] + content) == header)
    #expect(AV1SequenceHeader([0x0E, 0x20, UInt8(content.count)] + content) == header)
    #expect(AV1SequenceHeader([0x0A, UInt8(content.count + 1)] + content) == nil)
  }

  @Test func `a truncated sequence header is refused`() {
    for (bytes, needed) in [(Stream.sequenceHeader, 10), (Self.detailed, 32)] {
      for count in 0..<needed { #expect(AV1SequenceHeader(Array(bytes[..<count])) == nil) }
    }
  }

  @Test func `an OBU of another type or with another profile is no sequence header`() {
    var other = Stream.sequenceHeader
    other[1] = 0x20
    #expect(AV1SequenceHeader(other) == nil)
    other = Stream.sequenceHeader
    for first in [0x10, 0x30, 0x88] as [UInt8] {
      other[0] = first
      #expect(AV1SequenceHeader(other) == nil)
    }
  }

  @Test(
    arguments: [
      ([0x10, 0x30], true), ([0x20, 1, 0x30, 0x30], true), ([0x30, 1, 9, 1, 9, 9], true),
      ([0x00, 1, 9, 2, 8, 8], true), ([0xD0, 7], true), ([0x18, 0x30], true),
      // There is no element, or the last element is missing.
      ([], false), ([0x10], false), ([0x20, 1, 0x30], false), ([0x30, 1, 9, 1, 9], false),
      // An element exceeds the payload, or its length is truncated or too long.
      ([0x20, 3, 0x30, 0x30], false), ([0x00, 1, 9, 2, 8], false), ([0x00, 0x80], false),
      ([0x00, 0x80, 0x80, 0x80, 0x80, 0], false),
      // The flag for the start of a coded video sequence and the flag for a continued OBU exclude
      // each other.
      ([0x98, 0x30], false),
    ] as [([UInt8], Bool)])
  func `a payload is valid only if all its elements are complete`(payload: [UInt8], isValid: Bool) {
    #expect((AV1Payload(payload) != nil) == isValid)
  }

  @Test func `the aggregation header marks fragments and the start of coded video sequences`()
    throws
  {
    let fragment = try #require(AV1Payload([0xD0, 1, 2, 3]))
    #expect(fragment.continuesUnit && fragment.continuesInNext && !fragment.startsSequence)
    let whole = try #require(AV1Payload([0x18, 1, 2, 3]))
    #expect(!whole.continuesUnit && !whole.continuesInNext && whole.startsSequence)
  }

  @Test func `a receiver can start only at the start of a sequence, with the sequence header`()
    throws
  {
    let unit = [UInt8(Stream.sequenceHeader.count)] + Stream.sequenceHeader
    for (payload, starts) in [
      ([0x28] + unit + [0x30, 7], true), ([0x20] + unit + [0x30, 7], false),
      ([0x18, 0x30, 7], false), ([0x08, 1, 0x10] + unit, true),
    ] as [([UInt8], Bool)] {
      let layout = try #require(AV1Payload(payload))
      #expect((layout.sequenceHeader(in: payload)?.width == 640) == starts)
    }
  }
}
