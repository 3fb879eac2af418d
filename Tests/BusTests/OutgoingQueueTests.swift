import LongComputation
import TestSupport
import Testing

@testable import Bus

@Suite(.longComputation) struct OutgoingQueueTests {
  private var queue = OutgoingQueue()
  private var room: [UInt8] = []

  /// Returns the next bytes to send, at most `most` bytes.
  private mutating func take(_ most: Int, capacity: Int = 64) -> [UInt8] {
    var taken: [UInt8] = []
    _ = queue.send(through: &room, upTo: capacity) { bytes in
      taken = Array(bytes.prefix(most))
      return taken.count
    }
    return taken
  }

  @Test mutating func `small messages are sent together`() {
    queue.appendOwn { $0 += [1, 2] }
    queue.append(ZMTPFramedMessage([7, 8].span))
    queue.appendOwn { $0 += [3] }
    queue.appendOwn { $0 += [4] }
    #expect(queue.count == 8)
    #expect(queue.ownCount == 4)
    #expect(take(100) == [1, 2, 0, 2, 7, 8, 3, 4])
    #expect(queue.isEmpty)
    #expect(queue.ownCount == 0)
    #expect(queue.send(through: &room, upTo: 64) { _ in 1 } == nil)
  }

  @Test mutating func `bytes that the connection does not accept remain in the queue`() {
    queue.append(ZMTPFramedMessage([1, 2, 3].span))
    #expect(queue.send(through: &room, upTo: 64) { _ in nil } == nil)
    #expect(take(2) == [0, 3])
    queue.appendOwn { $0 += [9] }
    #expect(take(2) == [1, 2])
    #expect(take(9) == [3, 9])
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>)
  mutating func `bytes are sent in the order of arrival, in pieces of any size`(
    seed: UInt64
  ) {
    var generator = SeededGenerator(seed: seed)
    var expected: [UInt8] = []
    var own = 0
    var taken: [UInt8] = []
    for step in 0..<2_000 {
      if Bool.random(using: &generator) {
        let size = Int.random(in: 0...(step.isMultiple(of: 50) ? 40_000 : 30), using: &generator)
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 + step) }
        if Bool.random(using: &generator) {
          let message = ZMTPFramedMessage(bytes.span)
          queue.append(message)
          expected += message.bytes
        } else {
          queue.appendOwn { $0 += bytes }
          expected += bytes
          own += size
        }
      } else {
        taken += take(.random(in: 1...20_000, using: &generator), capacity: 5_000)
      }
      #expect(queue.count == expected.count - taken.count)
      #expect(queue.ownCount <= own)
    }
    while !queue.isEmpty { taken += take(.max) }
    #expect(taken == expected)
    #expect(queue.ownCount == 0)
  }
}
