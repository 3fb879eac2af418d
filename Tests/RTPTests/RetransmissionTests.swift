import Testing

@testable import RTP

@Suite struct RetransmissionTests {
  private func packet(
    _ number: UInt16, type: UInt8, ssrc: UInt32, payload: [UInt8], extended: Bool = false
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    let header = OutgoingRTPHeader(
      payloadType: type, sequence: SequenceNumber(number), timestamp: 90_000, ssrc: ssrc,
      isMarked: true)
    if extended {
      header.begin(in: &bytes) { OutgoingRTPHeader.appendExtension(3, [1, 2, 3].span, to: &$0) }
    } else {
      header.begin(in: &bytes)
    }
    return bytes + payload
  }

  private func parsed(_ bytes: [UInt8]) -> RTPPacket? { RTPPacket(bytes.span) }

  private func compact(_ bytes: [UInt8]) throws -> [UInt8] {
    var room = bytes
    let packet = try #require(parsed(room))
    var span = room.mutableSpan
    let count = packet.compact(in: &span)
    return Array(room.prefix(count))
  }

  @Test func `a retransmission is unwrapped to the original packet`() throws {
    let original = packet(65_535, type: 96, ssrc: 7, payload: [9, 8, 7])
    let parts = try #require(parsed(original))
    var repetition = packet(4, type: 97, ssrc: 8, payload: [])
    Retransmission.append(parts, in: original.span, to: &repetition)
    let received = try #require(parsed(repetition))
    var span = repetition.mutableSpan
    let count = Retransmission.unwrap(received, payloadType: 96, ssrc: 7, in: &span)
    #expect(Array(repetition.prefix(try #require(count))) == original)
  }

  @Test(arguments: [[], [1], [0, 1]] as [[UInt8]])
  func `a retransmission without an original packet is only a probe`(payload: [UInt8]) throws {
    var probe = packet(4, type: 97, ssrc: 8, payload: payload)
    let received = try #require(parsed(probe))
    var span = probe.mutableSpan
    #expect(Retransmission.unwrap(received, payloadType: 96, ssrc: 7, in: &span) == nil)
  }

  @Test func `a compacted packet has only its header and payload`() throws {
    let plain = packet(5, type: 96, ssrc: 7, payload: [1, 2, 3])
    #expect(try compact(plain) == plain)
    #expect(try compact(packet(5, type: 96, ssrc: 7, payload: [1, 2, 3], extended: true)) == plain)
    var padded = packet(5, type: 96, ssrc: 7, payload: [1, 2, 3, 0, 0, 3], extended: true)
    padded[0] |= 0x20
    #expect(try compact(padded) == plain)
    var contributed = plain
    contributed[0] |= 2
    contributed.insert(contentsOf: [UInt8](repeating: 5, count: 8), at: 12)
    #expect(try compact(contributed) == plain)
  }

  @Test func `a compacted packet keeps its padding if it has no payload`() throws {
    var padding = packet(5, type: 96, ssrc: 7, payload: [0, 0, 0, 4], extended: true)
    padding[0] |= 0x20
    let compact = try compact(padding)
    let parts = try #require(parsed(compact))
    #expect(parts.payload.isEmpty && parts.paddingBytes == 4 && parts.extensions.isEmpty)
    #expect(parts.sequence == SequenceNumber(5))
  }
}
