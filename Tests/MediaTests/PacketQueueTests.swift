import Bus
import Testing

@testable import Media

@Suite struct PacketQueueTests {
  private static func packets(_ count: Int) -> [ZMTPFramedMessage] {
    (0..<count).map { ZMTPFramedMessage([UInt8(truncatingIfNeeded: $0)].span) }
  }

  @Test func `packets leave the queue in the order of arrival`() {
    var queue = PacketQueue()
    let packets = Self.packets(5)
    for packet in packets {
      let isFull = queue.append(packet)
      #expect(!isFull)
    }
    #expect(queue.packets.elementsEqual(packets, by: ===))
  }

  @Test func `a full queue drops its oldest packet for each new packet`() {
    var queue = PacketQueue()
    let packets = Self.packets(4 * PacketQueue.capacity)
    var dropped = 0
    for packet in packets where queue.append(packet) { dropped += 1 }
    #expect(dropped == 3 * PacketQueue.capacity)
    #expect(queue.count == PacketQueue.capacity)
    #expect(queue.packets.elementsEqual(packets.suffix(PacketQueue.capacity), by: ===))
  }
}
