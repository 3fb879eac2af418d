import Bus
import Wire

/// Data messages of one client that messaging has not answered, in the client's order.
///
/// They leave as they come. When messaging is away, all that are unanswered leave again, in order and
/// before any newer one; each keeps its idempotency key, so that none is stored twice.
struct OutgoingMessages {
  /// One message on its way.
  struct Message {
    let number: UInt64
    let request: V1.AppendRequest
    let idempotencyKey: String
    let traceparent: String
    let call: Call<V1.SendDataMessageReply>
    let deadline: ContinuousClock.Instant
    var isUnderWay = false
  }

  private var messages: [Message] = []

  /// Nothing leaves: messaging is away, and is asked again soon.
  var isPaused = false

  mutating func append(_ message: Message) { messages.append(message) }

  /// The messages that are to leave now; they count as under way.
  mutating func takeWaiting() -> [Message] {
    guard !isPaused else { return [] }
    var waiting: [Message] = []
    for index in messages.indices where !messages[index].isUnderWay {
      messages[index].isUnderWay = true
      waiting.append(messages[index])
    }
    return waiting
  }

  /// Messaging has answered this message.
  mutating func remove(_ number: UInt64) -> Message? {
    guard let index = messages.firstIndex(where: { $0.number == number }) else { return nil }
    return messages.remove(at: index)
  }

  /// Messaging did not take this message: it leaves again with the others.
  ///
  /// - Returns: Whether there is time for that.
  mutating func retry(_ number: UInt64, now: ContinuousClock.Instant) -> Bool {
    guard let index = messages.firstIndex(where: { $0.number == number }),
      now < messages[index].deadline
    else { return false }
    messages[index].isUnderWay = false
    return true
  }
}
