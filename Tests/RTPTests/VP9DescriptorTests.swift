import RTP
import TestSupport
import Testing

@Suite struct VP9DescriptorTests {
  /// The fields of the first packet of a picture: a long picture id, the layers, the base layer
  /// index, and a structure with two sizes and a group of two pictures.
  private static let first: [UInt8] = [
    0xAA, 0x81, 0x2C, 0x00, 0x07, 0x38, 0, 160, 0, 90, 1, 64, 0, 180, 2, 0x04, 1, 0x38, 1, 2,
  ]

  @Test
  func `the first packet of a picture gives the picture id, the layers and the top layer's size`()
    throws
  {
    let (descriptor, count) = try #require(VP9Descriptor.read(Self.first + [0x82]))
    #expect(count == Self.first.count)
    #expect(descriptor.pictureID == .long(300))
    #expect(descriptor.startsFrame && !descriptor.endsFrame && descriptor.startsIntraPicture)
    #expect(descriptor.temporalLayer == 0 && descriptor.spatialLayer == 0)
    #expect(descriptor.baseLayerIndex == 7 && !descriptor.isFlexible)
    #expect(descriptor.size?.width == 320 && descriptor.size?.height == 180)
  }

  @Test func `a descriptor that is truncated at any length is refused`() {
    for count in 0...Self.first.count {
      #expect(VP9Descriptor.read(Array(Self.first[..<count])) == nil)
    }
    for count in 0..<5 {
      #expect(VP9Descriptor.read([0xF8, 5, 0x30, 3, 4].prefix(count).map(\.self)) == nil)
    }
  }

  @Test func `a descriptor in flexible mode has references and no base layer index`() throws {
    let (descriptor, count) = try #require(VP9Descriptor.read([0xF8, 5, 0x52, 3, 4, 0x86]))
    #expect(count == 5 && descriptor.isFlexible && descriptor.isInterPredicted)
    #expect(descriptor.pictureID == .short(5) && descriptor.baseLayerIndex == nil)
    #expect(descriptor.temporalLayer == 2 && descriptor.isSwitchingPoint)
    #expect(descriptor.spatialLayer == 1 && !descriptor.startsIntraPicture)
  }

  @Test func `a descriptor with more than three references is refused`() {
    #expect(VP9Descriptor.read([0xD8, 5, 3, 3, 2, 0x86]) != nil)
    #expect(VP9Descriptor.read([0xD8, 5, 3, 3, 3, 2, 0x86]) == nil)
  }

  @Test(arguments: [(0x08, true), (0x48, false), (0x04, false)] as [(UInt8, Bool)])
  func `a picture without references begins with the first packet of its lowest layer`(
    flags: UInt8, isFirst: Bool
  ) throws {
    let descriptor = try #require(VP9Descriptor.read([flags, 0x82])).descriptor
    #expect(descriptor.startsIntraPicture == isFirst)
    let upper = try #require(VP9Descriptor.read([flags | 0x20, 0x02, 7, 0x82])).descriptor
    #expect(!upper.startsIntraPicture && upper.spatialLayer == 1)
  }

  @Test func `a patch changes only the picture id and the base layer index`() throws {
    var bytes: [UInt8] = [9, 9] + Self.first + [0x82]
    let (descriptor, count) = try #require(VP9Descriptor.read(Array(bytes[2...])))
    var span = bytes.mutableSpan
    descriptor.patch(&span, payloadAt: 2, pictureID: 0x1234, baseLayerIndex: 200)
    let (patched, again) = try #require(VP9Descriptor.read(Array(bytes[2...])))
    #expect(again == count && patched.pictureID == .long(0x1234))
    #expect(patched.baseLayerIndex == 200 && patched.temporalLayer == 0)
    #expect(bytes[..<2] == [9, 9] && Array(bytes[7...]) == Array(Self.first[5...]) + [0x82])
  }

  @Test func `a patch keeps the length of a short picture id`() throws {
    var bytes: [UInt8] = [0xA8, 5, 0x00, 7, 0x86]
    let descriptor = try #require(VP9Descriptor.read(bytes)).descriptor
    var span = bytes.mutableSpan
    descriptor.patch(&span, payloadAt: 0, pictureID: 0x1234, baseLayerIndex: 8)
    #expect(bytes == [0xA8, 0x34, 0x00, 8, 0x86])
  }

  @Test func `the header of a key frame contains the size of the picture`() throws {
    let key: [UInt8] = [0x82, 0x49, 0x83, 0x42, 0x20, 0x27, 0xF0, 0x16, 0x70]
    let header = try #require(VP9FrameHeader(key))
    #expect(header.isKeyFrame && header.width == 640 && header.height == 360)
    for count in 0..<key.count { #expect(VP9FrameHeader(Array(key[..<count])) == nil) }
    #expect(VP9FrameHeader([0x82, 0x49, 0x83, 0x43, 0x20, 0x27, 0xF0, 0x16, 0x70]) == nil)
  }

  @Test(
    arguments: [
      (0x86, false), (0x8A, false), (0xA2, nil), (0x92, nil), (0x42, nil),
    ] as [(UInt8, Bool?)])
  func `only frames of profile 0 are read`(first: UInt8, isKey: Bool?) {
    #expect(VP9FrameHeader([first])?.isKeyFrame == isKey)
  }

  @Test func `random bytes cause no crash`() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      guard let (descriptor, count) = VP9Descriptor.read(bytes) else { continue }
      #expect((1..<bytes.count).contains(count))
      var patched = bytes
      var span = patched.mutableSpan
      descriptor.patch(&span, payloadAt: 0, pictureID: 1, baseLayerIndex: 2)
      #expect(patched[count...] == bytes[count...])
    }
  }
}
