import Testing
import ZeroMQ

@testable import Media

@Suite struct PacketQueueTests {
  @Test func `packets leave in the order they came`() {
    var queue = PacketQueue()
    for number in UInt8(0)..<5 {
      let isFull = queue.append(Frame([number]))
      #expect(!isFull)
    }
    var order: [UInt8] = []
    while let next = queue.next {
      order += next.bytes
      queue.removeFirst()
    }
    #expect(order == [0, 1, 2, 3, 4])
    #expect(queue.isEmpty)
  }

  @Test func `a full queue drops the oldest, again and again`() {
    var queue = PacketQueue()
    let more = 3 * PacketQueue.capacity
    var dropped = 0
    for number in 0..<PacketQueue.capacity + more {
      if queue.append(Frame([UInt8(truncatingIfNeeded: number)])) { dropped += 1 }
    }
    #expect(dropped == more)
    #expect(queue.count == PacketQueue.capacity)
    #expect(queue.next?.bytes == [UInt8(truncatingIfNeeded: more)])
  }
}
