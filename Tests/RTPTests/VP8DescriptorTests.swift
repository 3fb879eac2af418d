import RTP
import TestSupport
import Testing

@Suite struct VP8DescriptorTests {
  @Test(
    arguments: [nil, .short(100), .long(300)] as [PictureID?], [nil, 7] as [UInt8?])
  func `a written descriptor is read back unchanged`(
    pictureID: PictureID?, index: UInt8?
  ) throws {
    for (layer, key) in [(nil, nil), (2, nil), (nil, 9), (3, 31)] as [(UInt8?, UInt8?)] {
      var descriptor = VP8Descriptor()
      descriptor.isDiscardable = true
      descriptor.startsPartition = true
      descriptor.partition = 5
      descriptor.pictureID = pictureID
      descriptor.baseLayerIndex = index
      descriptor.temporalLayer = layer
      descriptor.isLayerSync = layer != nil
      descriptor.keyIndex = key
      var bytes: [UInt8] = []
      descriptor.append(to: &bytes)
      #expect(bytes.count == descriptor.byteCount)
      bytes.append(0)
      let read = try #require(VP8Descriptor.read(bytes))
      #expect(read.descriptor == descriptor)
      #expect(read.byteCount == descriptor.byteCount)
      for count in 0..<bytes.count {
        #expect(VP8Descriptor.read(Array(bytes[..<count])) == nil)
      }
    }
  }

  @Test(arguments: [.short(1), .long(1), nil] as [PictureID?])
  func `a patch keeps the length of the picture id`(pictureID: PictureID?) throws {
    var descriptor = VP8Descriptor()
    descriptor.pictureID = pictureID
    descriptor.baseLayerIndex = 4
    descriptor.temporalLayer = 1
    var bytes: [UInt8] = [0, 0, 0]
    descriptor.append(to: &bytes)
    bytes.append(99)
    var span = bytes.mutableSpan
    descriptor.patch(&span, payloadAt: 3, pictureID: 0x1234, baseLayerIndex: 200)
    let (patched, _) = try #require(VP8Descriptor.read(Array(bytes[3...])))
    #expect(patched.baseLayerIndex == 200)
    #expect(patched.temporalLayer == 1)
    #expect(bytes.last == 99)
    switch pictureID {
    case .short: #expect(patched.pictureID == .short(0x34))
    case .long: #expect(patched.pictureID == .long(0x1234))
    case nil: #expect(patched.pictureID == nil)
    }
  }

  @Test func `the header of a key frame contains the size of the picture`() throws {
    let key: [UInt8] = [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x80, 0x02, 0x68, 0x41]
    let header = try #require(VP8FrameHeader(key))
    #expect(header.isKeyFrame)
    #expect(header.width == 640)
    #expect(header.height == 360)
    let delta: [UInt8] = [0x51, 0, 0]
    #expect(VP8FrameHeader(delta)?.isKeyFrame == false)
    #expect(VP8FrameHeader(Array(key[..<9])) == nil)
    #expect(VP8FrameHeader([0x50, 0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
  }

  @Test func `the parser survives random bytes`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      let bytes = random.bytes(Int.random(in: 0...12, using: &random))
      guard let (descriptor, count) = VP8Descriptor.read(bytes) else { continue }
      #expect(count == descriptor.byteCount || descriptor.byteCount == 1)
      _ = VP8FrameHeader(Array(bytes[count...]))
    }
  }
}
