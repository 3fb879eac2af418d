import RTP
import TestSupport
import Testing

@Suite struct RTPPacketTests {
  private let header = OutgoingRTPHeader(
    payloadType: 111, sequence: SequenceNumber(65_535), timestamp: 0xFFFF_FFF0, ssrc: 0xDEAD_BEEF,
    isMarked: true)

  @Test func `a written packet is read back unchanged`() throws {
    var buffer: [UInt8] = [9, 9]
    header.begin(in: &buffer)
    buffer.append(contentsOf: [1, 2, 3])
    let packet = try #require(RTPPacket(buffer))
    #expect(packet.isMarked)
    #expect(packet.payloadType == 111)
    #expect(packet.sequence == SequenceNumber(65_535))
    #expect(packet.timestamp == 0xFFFF_FFF0)
    #expect(packet.ssrc == 0xDEAD_BEEF)
    #expect(Array(buffer[packet.payload]) == [1, 2, 3])
    #expect(packet.contributors.isEmpty)
    #expect(packet.extensions.isEmpty)
  }

  @Test func `a header extension contains the audio level`() throws {
    var buffer: [UInt8] = []
    header.begin(in: &buffer) { AudioLevel(attenuation: 42, isSpeech: true).append(to: &$0, id: 3) }
    buffer.append(7)
    let packet = try #require(RTPPacket(buffer))
    #expect(packet.payload.count == 1)
    #expect(
      AudioLevel(of: packet, id: 3, in: buffer)
        == AudioLevel(attenuation: 42, isSpeech: true))
    #expect(AudioLevel(of: packet, id: 4, in: buffer) == nil)
  }

  @Test func `one-byte header extensions are read up to the reserved id`() throws {
    let items: [UInt8] = [0x10, 5, 0, 0x22, 1, 2, 3, 0xF0, 0x30, 1, 0, 0]
    let bytes = packet(profile: 0xBEDE, items)
    #expect(extensions(of: bytes) == [1: [5], 2: [1, 2, 3]])
  }

  @Test func `two-byte header extensions may be empty or long`() throws {
    let items: [UInt8] = [0x01, 0, 0, 0xC8, 4, 1, 2, 3, 4, 0, 0, 0]
    #expect(extensions(of: packet(profile: 0x1000, items)) == [1: [], 200: [1, 2, 3, 4]])
    #expect(extensions(of: packet(profile: 0x100F, items)) == [1: [], 200: [1, 2, 3, 4]])
    #expect(extensions(of: packet(profile: 0x2000, items)) == [:])
  }

  @Test func `a truncated header extension ends the list of extensions`() {
    #expect(extensions(of: packet(profile: 0xBEDE, [0x10, 5, 0x2F, 1])) == [1: [5]])
    #expect(extensions(of: packet(profile: 0x1000, [1, 1, 5, 9])) == [1: [5]])
  }

  @Test func `contributing sources and padding are not payload`() throws {
    var bytes: [UInt8] = [0xA2, 96, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]
    bytes += [0, 0, 0, 10, 0, 0, 0, 11, 77, 0, 0, 3]
    let packet = try #require(RTPPacket(bytes))
    #expect(packet.contributor(0, in: bytes) == 10)
    #expect(packet.contributor(1, in: bytes) == 11)
    #expect(Array(bytes[packet.payload]) == [77])
    #expect(packet.paddingBytes == 3)
  }

  @Test(arguments: [
    [], [0x80], [UInt8](repeating: 0x80, count: 11), [0x40] + [UInt8](repeating: 0, count: 11),
    [0x81] + [UInt8](repeating: 0, count: 11), [0x90] + [UInt8](repeating: 0, count: 11),
    [0x90] + [UInt8](repeating: 0, count: 13) + [0, 1], [0xA0] + [UInt8](repeating: 0, count: 11),
    [0xA0] + [UInt8](repeating: 0, count: 11) + [2],
  ])
  func `bytes with a wrong version or missing parts are not a packet`(bytes: [UInt8]) {
    #expect(RTPPacket(bytes) == nil)
  }

  @Test func `a patch of a packet's header changes only the given fields`() throws {
    var buffer: [UInt8] = []
    header.begin(in: &buffer)
    buffer += [1, 2, 3]
    let patch = RTPPatch(
      sequence: SequenceNumber(7), timestamp: 8, ssrc: 9, payloadType: 100)
    var span = buffer.mutableSpan
    patch.apply(to: &span)
    let packet = try #require(RTPPacket(buffer))
    #expect(packet.sequence == SequenceNumber(7))
    #expect(packet.timestamp == 8)
    #expect(packet.ssrc == 9)
    #expect(packet.payloadType == 100)
    #expect(packet.isMarked)
    #expect(Array(buffer[packet.payload]) == [1, 2, 3])
  }

  @Test(arguments: [
    (191, false), (192, true), (200, true), (223, true), (224, false), (111, false),
  ])
  func `the second byte distinguishes RTCP from RTP`(second: UInt8, isRTCP: Bool) {
    let bytes: [UInt8] = [0x80, second, 0, 0]
    #expect(RTPPacket.isRTCP(bytes) == isRTCP)
  }

  @Test func `the parser survives random bytes`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      var bytes = random.bytes(Int.random(in: 0...64, using: &random))
      if !bytes.isEmpty { bytes[0] = bytes[0] & 0x3f | 0x80 }
      guard let packet = RTPPacket(bytes) else { continue }
      #expect(packet.payload.upperBound + packet.paddingBytes == bytes.count)
      _ = extensions(of: bytes)
      _ = AudioLevel(of: packet, id: 1, in: bytes.span)
    }
  }

  private func packet(profile: UInt16, _ items: [UInt8]) -> [UInt8] {
    let words = items.count / 4
    return [0x90, 96] + [UInt8](repeating: 0, count: 10)
      + [UInt8(profile >> 8), UInt8(profile & 0xff), 0, UInt8(words)] + items
  }

  private func extensions(of bytes: [UInt8]) -> [UInt8: [UInt8]] {
    guard let packet = RTPPacket(bytes) else { return [:] }
    var found: [UInt8: [UInt8]] = [:]
    var reader = HeaderExtensionReader(packet)
    while let item = reader.next(in: bytes.span) { found[item.id] = Array(bytes[item.value]) }
    return found
  }
}
