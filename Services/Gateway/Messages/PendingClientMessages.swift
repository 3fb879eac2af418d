import MeetingModel
import Wire

/// For one client, the data messages that `messaging` has not answered, in the order in which the
/// client sent them.
///
/// The gateway sends the messages as they arrive, to one destination: one instance under one term.
/// If `messaging` returns a message without storing it, or if the destination changes, sending
/// pauses until `messaging` has answered all messages in flight. Then the gateway sends all
/// unanswered messages again, in order, and before any newer message. So no message overtakes an
/// older message, even if `messaging` fails. Each message keeps its idempotency key, so `messaging`
/// stores no message twice.
struct PendingClientMessages {
  /// One message without a final answer.
  struct Message {
    let number: UInt64
    let request: V1.SendDataMessageRequest
    let idempotencyKey: String
    let traceparent: String
    let answer: (Result<V1.SendDataMessageReply, Status>) -> Void
    let deadline: ContinuousClock.Instant
    fileprivate(set) var isUnderWay = false
  }

  /// The instance and the term to which the gateway sends messages.
  struct Destination: Hashable {
    let instance: String
    let term: UInt64
  }

  private var messages: [Message] = []
  private var underWay = 0

  /// The destination of the messages in flight.
  private var lane: Destination?

  /// The number of the present round. A round ends when `messaging` returns messages. The gateway
  /// then sends the returned messages again in a new round with a higher number.
  ///
  /// After `messaging` has rejected a message of a round, `messaging` rejects the rest of the
  /// round. The number is the time of day, in milliseconds since 1970-01-01T00:00:00Z. So the
  /// number also rises when the session resumes at another gateway.
  private(set) var round: UInt64

  /// Whether `messaging` has refused a message without storing it, so that the gateway sends it
  /// again. While this is `true`, the gateway sends no messages. The state ends when `messaging`
  /// has answered all messages in flight.
  private var isReturning = false

  /// Whether the queue sends nothing until ``resume()``, because `messaging` does not answer, or
  /// because the session must join first.
  private(set) var isPaused = false

  /// - Parameter now: The time in milliseconds since 1970-01-01T00:00:00Z.
  init(at now: UInt64) { round = now }

  /// The number of messages that `messaging` has not answered.
  var count: Int { messages.count }

  mutating func append(_ message: Message) { messages.append(message) }

  /// Returns the messages that the gateway must send now, as part of ``round``. From now on, these
  /// messages are in flight.
  ///
  /// - Parameter now: The time in milliseconds since 1970-01-01T00:00:00Z.
  mutating func take(for lane: Destination, at now: UInt64) -> [Message] {
    guard !isPaused, underWay == 0 || (lane == self.lane && !isReturning) else { return [] }
    if isReturning { round = max(round + 1, now) }
    (self.lane, isReturning) = (lane, false)
    var leaving: [Message] = []
    for index in messages.indices where !messages[index].isUnderWay {
      messages[index].isUnderWay = true
      leaving.append(messages[index])
    }
    underWay += leaving.count
    return leaving
  }

  /// Removes a message after its final answer.
  mutating func remove(_ number: UInt64) -> Message? {
    guard let index = index(of: number) else { return nil }
    if messages[index].isUnderWay { underWay -= 1 }
    return messages.remove(at: index)
  }

  /// Requeues a message that `messaging` did not accept, if the message's deadline allows a retry.
  ///
  /// Sending pauses until ``resume()``.
  ///
  /// - Returns: Whether the queue has requeued the message.
  mutating func putBack(_ number: UInt64, at now: ContinuousClock.Instant) -> Bool {
    isReturning = true
    guard let index = index(of: number), now < messages[index].deadline else { return false }
    if messages[index].isUnderWay { underWay -= 1 }
    messages[index].isUnderWay = false
    isPaused = true
    return true
  }

  /// Removes and returns the messages that are not in flight.
  mutating func takeWaiting() -> [Message] {
    defer { messages.removeAll { !$0.isUnderWay } }
    return messages.filter { !$0.isUnderWay }
  }

  /// Stops sending until ``resume()``.
  mutating func pause() { isPaused = true }

  /// Ends a pause. If `messaging` has returned messages, sending continues only after `messaging`
  /// has answered all messages in flight.
  mutating func resume() { isPaused = false }

  /// The deadline of the oldest message; `nil` if there is none.
  var firstDeadline: ContinuousClock.Instant? { messages.first?.deadline }

  /// Whether at least one message is not in flight, and so waits.
  var hasWaiting: Bool { messages.count > underWay }

  private func index(of number: UInt64) -> Int? {
    messages.firstIndex { $0.number == number }
  }
}
