import RTP
import Testing

@Suite struct HeaderExtensionBlockTests {
  private static let header = OutgoingRTPHeader(
    payloadType: 45, sequence: SequenceNumber(7), timestamp: 9, ssrc: 5, isMarked: true)

  /// Returns a packet whose header extensions are a value, an orientation and a number. The
  /// function writes the extensions with the header, or inserts the extensions later.
  private static func packet(_ value: [UInt8], isInserted: Bool) -> [UInt8] {
    var block = HeaderExtensionBlock()
    block.append(1, 0xFFFF)
    block.begin(HeaderExtensionBlock.Form(fitting: value.count))
    block.append(DependencyDescriptor.id, value.span)
    block.append(VideoOrientation.id, VideoOrientation(degrees: 90))
    block.append(3, 0x0102)
    var packet: [UInt8] = []
    guard isInserted else {
      header.begin(in: &packet, block)
      return packet + [1, 2, 3]
    }
    header.begin(in: &packet)
    packet += [1, 2, 3]
    let count = packet.count
    packet += [UInt8](repeating: 0xFF, count: block.byteCount)
    var span = packet.mutableSpan
    #expect(block.insert(into: &span, count: count) == packet.count)
    return packet
  }

  @Test(arguments: [1, 3, 16, 17, 18, 19, 20, 255])
  func `long values use the two-byte form`(count: Int) throws {
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 + 1) }
    let bytes = Self.packet(value, isInserted: false)
    #expect(bytes == Self.packet(value, isInserted: true))
    let packet = try #require(RTPPacket(bytes))
    #expect(packet.extensionProfile == (count <= 16 ? 0xBEDE : 0x1000))
    #expect(Array(bytes[packet.payload]) == [1, 2, 3] && packet.isMarked)
    #expect(packet.payloadType == 45 && packet.ssrc == 5)
    let range = packet.headerExtension(DependencyDescriptor.id, in: bytes.span)
    #expect(range.map { Array(bytes[$0]) } == value)
    let orientation = VideoOrientation(of: packet, in: bytes.span)
    #expect(orientation?.degrees == 90)
    let number = packet.headerExtension(3, in: bytes.span)
    #expect(number.map { Array(bytes[$0]) } == [1, 2])
    let former = packet.headerExtension(1, in: bytes.span)
    #expect(former == nil)
  }

  @Test func `a block without extensions is empty`() {
    var block = HeaderExtensionBlock()
    #expect(block.isEmpty)
    block.append(1, 7)
    #expect(!block.isEmpty && block.byteCount == 8)
    block.begin(.twoByte)
    #expect(block.isEmpty)
  }

  @Test func `a dependency descriptor has a frame number that a sender may change`() throws {
    for value in [[0xC1, 0xAB, 0xCD], [0xC1, 0xAB, 0xCD] + [UInt8](repeating: 6, count: 40)] {
      var bytes = Self.packet(value, isInserted: false)
      let packet = try #require(RTPPacket(bytes))
      let read = DependencyDescriptor(of: packet, in: bytes.span)
      let descriptor = try #require(read)
      #expect(descriptor.frameNumber == 0xABCD && descriptor.range.count == value.count)
      var expected = bytes
      expected[descriptor.range.lowerBound + 1] = 0x12
      expected[descriptor.range.lowerBound + 2] = 0x34
      var span = bytes.mutableSpan
      descriptor.patch(&span, frameNumber: 0x1234)
      #expect(bytes == expected)
    }
  }

  @Test func `a packet without a descriptor, or with a short descriptor, has no frame number`()
    throws
  {
    let plain: [UInt8] = [0x80] + [UInt8](repeating: 0, count: 20)
    for bytes in [Self.packet([1, 2], isInserted: false), plain] {
      let packet = try #require(RTPPacket(bytes))
      let descriptor = DependencyDescriptor(of: packet, in: bytes.span)
      #expect(descriptor == nil)
    }
  }
}
