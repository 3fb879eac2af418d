import RTP
import TestSupport
import Testing

@Suite struct H264ParameterSetsTests {
  // Ids 0 and 1 are the Exp-Golomb codes 1 and 010.
  private static let sequence: [UInt8] = [0x67, 0x42, 0xC0, 0x1E, 0x80, 1]
  private static let otherSequence: [UInt8] = [0x67, 0x42, 0xC0, 0x1E, 0x40, 2]
  private static let picture: [UInt8] = [0x68, 0x80, 3]
  private static let otherPicture: [UInt8] = [0x28, 0x40, 4]

  private static func aggregate(_ header: UInt8, _ units: [UInt8]...) -> [UInt8] {
    [header] + units.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
  }

  private func sets(_ payloads: [UInt8]...) -> H264ParameterSets {
    var sets = H264ParameterSets()
    for payload in payloads { sets.take(payload.span) }
    return sets
  }

  @Test func `parameter sets form one aggregate with sequence parameters first`() {
    #expect(
      sets(Self.picture, Self.sequence).payload
        == Self.aggregate(0x78, Self.sequence, Self.picture))
    #expect(
      sets(Self.aggregate(0x78, Self.sequence, Self.otherPicture)).payload
        == Self.aggregate(0x78, Self.sequence, Self.otherPicture))
  }

  @Test func `parameter sets of only one kind form no payload`() {
    #expect(sets().payload == nil)
    #expect(sets(Self.sequence, Self.otherSequence).payload == nil)
    #expect(sets(Self.picture).payload == nil)
  }

  @Test func `the newest parameter set of each id is kept`() {
    let newer = Self.sequence + [9]
    #expect(
      sets(Self.sequence, Self.otherSequence, Self.picture, newer, newer).payload
        == Self.aggregate(0x78, Self.otherSequence, newer, Self.picture))
  }

  @Test func `slices, fragments and truncated sets do not change the stored parameter sets`() {
    let whole = sets(Self.sequence, Self.picture).payload
    for other: [UInt8] in [
      [0x65, 0x88], [0x7C, 0x87, 0x42, 0xC0, 0x1E, 0x80], [0x67, 0x42, 0xC0, 0x1E], [0x68], [],
      // The ids 32 of sequence parameters and 256 of picture parameters are above the limits.
      [0x67, 0x42, 0xC0, 0x1E, 0x04, 0x20], [0x68, 0x00, 0x80, 0x80],
    ] {
      #expect(sets(Self.sequence, Self.picture, other).payload == whole)
    }
  }

  @Test func `a parameter set that is too large is not kept`() {
    let size = H264ParameterSets.maximumSetBytes
    let largest = Self.sequence + [UInt8](repeating: 7, count: size - Self.sequence.count)
    let picture = Self.picture + [UInt8](repeating: 7, count: size - Self.picture.count)
    let kept = sets(largest, picture).payload
    #expect(kept == Self.aggregate(0x78, largest, picture))
    #expect(kept?.count ?? 0 <= H264ParameterSets.maximumPayloadBytes)
    #expect(sets(Self.picture, largest + [7]).payload == nil)
  }

  @Test(arguments: [0x67, 0x68] as [UInt8])
  func `many parameter sets of one kind fit into a payload and displace no set of another kind`(
    header: UInt8
  ) {
    var sets = sets(Self.sequence, Self.picture)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<5_000 {
      var unit = [header] + random.bytes(Int.random(in: 0...520, using: &random))
      if header == 0x67, unit.count > 4 { unit[4] |= 0x04 }
      sets.take(unit.span)
      let payload = sets.payload ?? []
      #expect(payload.count <= H264ParameterSets.maximumPayloadBytes)
      // A set replaces the earlier set with the same id.
      #expect(!payload.isEmpty)
    }
  }

  @Test func `a payload reveals which parts of a key frame it contains`() {
    let slice: [UInt8] = [0x65, 0x88]
    let cases: [([UInt8], H264KeyFrameParts)] = [
      (Self.sequence, .sequenceParameters), (Self.picture, .pictureParameters),
      ([0x67], .sequenceParameters), ([], []), ([0x65, 0x08], []), ([0x41, 0x88], []),
      (Self.aggregate(0x78, Self.picture, Self.sequence), .parameterSets),
      (Self.aggregate(0x78, Self.picture, slice), [.pictureParameters, .keySlice]),
      (Self.aggregate(0x78, Self.sequence, slice), [.sequenceParameters, .keySlice]),
      ([0x7C, 0x87, 0x42], .sequenceParameters), ([0x7C, 0x85, 0x88], .keySlice),
      ([0x7C, 0x05, 0x88], []),
    ]
    for (payload, parts) in cases {
      let found = H264Payload.keyFrameParts(payload.span)
      #expect(found == parts)
    }
  }
}
