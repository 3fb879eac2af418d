import Testing

@testable import CarillonClientCore

struct UnacknowledgedMessagesTests {
  private typealias Limits = UnacknowledgedMessages.Limits

  private let start = ContinuousClock.now

  private func message(_ text: String = "m") throws -> OutgoingMessage {
    try OutgoingMessage(topic: "t", data: text, lifetimeMs: 0)
  }

  private func queue(of count: Int, _ limits: Limits = Limits()) throws -> UnacknowledgedMessages {
    var queue = UnacknowledgedMessages(limits: limits)
    for _ in 0..<count { #expect(queue.add(try message())) }
    return queue
  }

  /// Returns the numbers of all messages that the queue may send now.
  private func send(_ queue: inout UnacknowledgedMessages, after time: Duration = .zero) -> [UInt64]
  {
    var numbers: [UInt64] = []
    while let entry = queue.next(at: start + time) { numbers.append(entry.number) }
    return numbers
  }

  @Test func `the queue's limit of messages includes sent messages without an answer`() throws {
    var queue = try queue(of: 3, Limits(messages: 3))
    #expect(!queue.add(try message()))
    #expect(send(&queue) == [1, 2, 3])
    for number: UInt64 in 1...3 { #expect(queue.settle(number) != nil) }
    #expect(queue.takeReturned().count == 1)
    for _ in 0..<3 { #expect(queue.add(try message())) }
    #expect(!queue.add(try message()))
  }

  @Test func `messages over the limit are returned in their original order`() throws {
    var queue = UnacknowledgedMessages(limits: Limits(messages: 2))
    for text in ["a", "b", "c", "d"] { _ = queue.add(try message(text)) }
    #expect(send(&queue) == [1, 2])
    #expect(queue.takeReturned().isEmpty)
    #expect(queue.settle(2) != nil)
    // The queue has room for "e" but must not send "e" yet. The server answers throttled messages
    // before stored messages. So the server could return "e" as throttled before the queue returns
    // "c" and "d".
    #expect(!queue.add(try message("e")))
    #expect(queue.takeReturned().isEmpty)
    #expect(queue.settle(1) != nil)
    #expect(
      queue.takeReturned().map { String(decoding: $0.data, as: UTF8.self) } == ["c", "d", "e"])
    #expect(queue.takeReturned().isEmpty)
    #expect(queue.isEmpty)
    #expect(queue.add(try message("f")))
    #expect(send(&queue) == [6])
  }

  @Test func `the bytes of messages are limited, and a refused message takes no room`() throws {
    var queue = UnacknowledgedMessages(limits: Limits(bytes: 10))
    #expect(queue.add(try message("12345")))
    #expect(queue.add(try message("123")))
    #expect(!queue.add(try message("123")))
    #expect(send(&queue) == [1, 2])
    for number: UInt64 in 1...2 { #expect(queue.settle(number) != nil) }
    #expect(queue.takeReturned().count == 1)
    #expect(queue.add(try message("123456789")))
    #expect(send(&queue) == [4])
  }

  @Test func `the queue sends as many messages as the window allows, oldest first`() throws {
    var queue = try queue(of: 5, Limits(window: 2))
    #expect(send(&queue) == [1, 2])
    #expect(queue.settle(2) != nil)
    #expect(send(&queue) == [3])
    #expect(queue.settle(1) != nil)
    #expect(queue.settle(3) != nil)
    #expect(send(&queue) == [4, 5])
  }

  @Test func `the outcome of a message is accepted only once`() throws {
    var queue = try queue(of: 1)
    #expect(send(&queue) == [1])
    #expect(queue.settle(1) != nil)
    #expect(queue.settle(1) == nil)
    #expect(queue.settle(7) == nil)
    #expect(queue.isEmpty)
  }

  @Test func `a message that must be repeated is sent before all unsent messages`() throws {
    var queue = try queue(of: 6, Limits(window: 3))
    #expect(send(&queue) == [1, 2, 3])
    queue.postpone(2)
    queue.postpone(1)
    #expect(send(&queue).isEmpty)
    queue.release()
    #expect(send(&queue).isEmpty, "3 is under way still")
    #expect(queue.settle(3) != nil)
    #expect(send(&queue) == [1])
    #expect(queue.settle(1) != nil)
    #expect(send(&queue) == [2, 4, 5])
  }

  @Test func `each failure of a repeated message delays all other messages`() throws {
    var queue = try queue(of: 3, Limits(window: 1))
    for _ in 0..<3 {
      #expect(send(&queue) == [1])
      queue.postpone(1)
      queue.postpone(1)
      #expect(send(&queue).isEmpty)
      queue.release()
    }
    #expect(send(&queue) == [1])
    #expect(queue.settle(1) != nil)
    #expect(send(&queue) == [2])
  }

  @Test func `all unanswered messages are sent again in order after a lost connection`() throws {
    var queue = try queue(of: 5, Limits(window: 4))
    #expect(send(&queue) == [1, 2, 3, 4])
    #expect(queue.settle(3) != nil)
    queue.postpone(2)
    queue.connectionWasLost()
    #expect(send(&queue) == [1])
    #expect(queue.settle(1) != nil)
    #expect(send(&queue) == [2, 4, 5])
  }

  @Test func `a lost connection delays no message if every sent message was answered`() throws {
    var queue = try queue(of: 2, Limits(window: 4))
    queue.connectionWasLost()
    #expect(send(&queue) == [1, 2])
  }

  @Test
  func `the drop of an overdue message does not end the wait for the oldest message's answer`()
    throws
  {
    var queue = try queue(of: 3, Limits(window: 2, repeatTime: .seconds(10)))
    #expect(send(&queue) == [1, 2])
    queue.connectionWasLost()
    #expect(send(&queue) == [1])
    #expect(queue.takeOverdue(at: start + .seconds(11)).count == 1)
    #expect(send(&queue, after: .seconds(11)).isEmpty)
    #expect(queue.settle(1) != nil)
    #expect(send(&queue, after: .seconds(11)) == [3])
  }

  @Test
  func `the queue drops overdue messages that were sent and keeps messages that were not sent`()
    throws
  {
    var queue = try queue(of: 4, Limits(window: 2, repeatTime: .seconds(10)))
    #expect(send(&queue) == [1, 2])
    #expect(queue.takeOverdue(at: start + .seconds(11)).isEmpty, "an answer may come")
    queue.connectionWasLost()
    #expect(queue.takeOverdue(at: start + .seconds(10)).isEmpty)
    #expect(queue.next(at: start + .seconds(10))?.number == 1)
    queue.connectionWasLost()
    #expect(queue.takeOverdue(at: start + .seconds(11)).count == 2)
    #expect(send(&queue, after: .seconds(11)) == [3])
    #expect(queue.settle(3) != nil)
    #expect(send(&queue, after: .seconds(11)) == [4])
  }

  @Test func `each remaining message states whether it was sent`() throws {
    var queue = try queue(of: 2, Limits(window: 1))
    #expect(send(&queue) == [1])
    queue.connectionWasLost()
    #expect(queue.takeAll().map(\.wasSent) == [true, false])
    #expect(queue.isEmpty)
  }

  @Test func `the outbox reports whether an added message is the first since the last read`()
    throws
  {
    let outbox = MessageOutbox(limits: Limits(messages: 3))
    func add() throws -> String { "\(outbox.add(try message()))" }
    #expect(try add() == "queued(isFirst: true)")
    #expect(try add() == "queued(isFirst: false)")
    outbox.withQueue { _ in }
    #expect(try add() == "queued(isFirst: true)")
    #expect(try add() == "full(isFirst: false)")
    let left = outbox.close()
    #expect(left.answerless.count == 3)
    #expect(left.returned.count == 1)
    #expect(try add() == "closed")
  }

  @Test func `idempotency keys differ between messages and sessions and fit into a header`() throws
  {
    var keys: Set<String> = []
    for _ in 0..<2 {
      let outbox = MessageOutbox()
      for _ in 0..<2 {
        _ = outbox.add(try message())
        guard let entry = outbox.withQueue({ $0.next(at: start) }) else { continue }
        let key = outbox.idempotencyKey(of: entry)
        #expect(outbox.idempotencyKey(of: entry) == key)
        #expect(key.utf8.count <= 64 && key.utf8.allSatisfy { (0x21...0x7e).contains($0) })
        keys.insert(key)
      }
    }
    #expect(keys.count == 4)
  }
}
