import Testing
import Wire

@testable import CarillonClientCore

struct MessageCursorTests {
  private var cursor = MessageCursor()

  /// Returns the sequence numbers of the new messages in an item of the session stream.
  private mutating func receive(
    _ sequences: [UInt64], at positions: [(epoch: UInt64, sequence: UInt64)]
  ) -> [UInt64] {
    cursor.beginItem(
      [V1.StreamPosition(stream: "roster", epoch: 99, sequence: 1)]
        + positions.map {
          V1.StreamPosition(stream: "messages", epoch: $0.epoch, sequence: $0.sequence)
        })
    return sequences.filter { cursor.receive(V1.DataMessage(sequence: $0)) }
  }

  @Test mutating func `each message counts as new once, even if log positions are skipped`() {
    #expect(receive([1], at: [(5, 1)]) == [1])
    #expect(receive([4, 9], at: [(5, 4), (5, 9)]) == [4, 9])
    #expect(receive([9, 4, 1, 10], at: [(5, 10)]) == [10])
  }

  @Test
  mutating func
    `if a position arrives before its messages, the position hides none of these messages`()
  {
    #expect(receive([3], at: [(5, 3)]) == [3])
    #expect(receive([], at: [(5, 20)]) == [])
    #expect(receive([7], at: [(5, 20)]) == [7])
  }

  @Test mutating func `the numbering restarts in a new epoch`() {
    #expect(receive([100], at: [(5, 100)]) == [100])
    #expect(receive([1, 2], at: [(6, 1), (6, 2)]) == [1, 2])
    #expect(receive([2, 3], at: [(6, 3)]) == [3])
  }

  @Test mutating func `an item may contain messages of two epochs`() {
    #expect(receive([99, 100, 1, 2], at: [(5, 99), (5, 100), (6, 1), (6, 2)]) == [99, 100, 1, 2])
    #expect(receive([2, 3], at: [(6, 2), (6, 3)]) == [3])
  }

  @Test
  mutating func `messages that arrive without a position belong to the epoch of the last position`()
  {
    #expect(receive([8], at: [(5, 8)]) == [8])
    #expect(receive([8, 9], at: []) == [9])
    #expect(receive([9, 10], at: [(5, 10)]) == [10])
  }

  @Test mutating func `messages without a log position are never treated as repeats`() {
    #expect(receive([4, 0, 0, 5], at: [(5, 5)]) == [4, 0, 0, 5])
    #expect(receive([0], at: []) == [0])
    #expect(receive([5, 6], at: [(5, 6)]) == [6])
  }

  @Test mutating func `a message received before the first position is recognized when repeated`() {
    #expect(receive([1, 2], at: []) == [1, 2])
    #expect(receive([2, 3], at: [(5, 3)]) == [3])
  }
}
