import MeetingModel
import Wire

/// Data messages of one client that messaging has not answered, in the client's order.
///
/// They leave as they come, in one lane: to one instance, under one term. When one of them comes
/// back, or the lane is another one, nothing leaves until all that are under way were answered;
/// then all that are left leave again, in order and before any newer one. So none overtakes an
/// older one, whatever happens to messaging, and each keeps its idempotency key, so that none is
/// stored twice.
struct OutgoingMessages {
  /// One message on its way.
  struct Message {
    let number: UInt64
    let request: V1.SendDataMessageRequest
    let idempotencyKey: String
    let traceparent: String
    let answer: (Result<V1.SendDataMessageReply, Status>) -> Void
    let deadline: ContinuousClock.Instant
    fileprivate(set) var isUnderWay = false
  }

  /// Whom messages are sent to.
  struct Lane: Hashable {
    let instance: String
    let term: UInt64
  }

  private var messages: [Message] = []
  private var underWay = 0

  /// The lane of those under way.
  private var lane: Lane?

  /// Rises when what came back leaves again: messaging refuses the rest of the round in which it
  /// refused a message. The time of day, in milliseconds since 1970-01-01T00:00:00Z, so that it
  /// goes on rising when a session is resumed by another gateway.
  private(set) var round: UInt64

  /// One came back: nothing leaves before all that are under way were answered.
  private var isReturning = false

  /// Messaging is away, or has to hear of the session first: nothing leaves until ``resume()``.
  private(set) var isPaused = false

  /// - Parameter now: Milliseconds since 1970-01-01T00:00:00Z.
  init(at now: UInt64) { round = now }

  /// How many messaging has not answered.
  var count: Int { messages.count }

  mutating func append(_ message: Message) { messages.append(message) }

  /// The messages that are to leave now, in ``round``; they count as under way.
  ///
  /// - Parameter now: Milliseconds since 1970-01-01T00:00:00Z.
  mutating func take(for lane: Lane, at now: UInt64) -> [Message] {
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

  /// Messaging has answered this message for good.
  mutating func remove(_ number: UInt64) -> Message? {
    guard let index = index(of: number) else { return nil }
    if messages[index].isUnderWay { underWay -= 1 }
    return messages.remove(at: index)
  }

  /// Messaging did not take this message: it leaves again with the others, when there is time for
  /// that. Nothing leaves until ``resume()``.
  ///
  /// - Returns: Whether there is time.
  mutating func putBack(_ number: UInt64, at now: ContinuousClock.Instant) -> Bool {
    isReturning = true
    guard let index = index(of: number), now < messages[index].deadline else { return false }
    if messages[index].isUnderWay { underWay -= 1 }
    messages[index].isUnderWay = false
    isPaused = true
    return true
  }

  /// Takes out those that are not under way.
  mutating func takeWaiting() -> [Message] {
    defer { messages.removeAll { !$0.isUnderWay } }
    return messages.filter { !$0.isUnderWay }
  }

  /// Nothing leaves until ``resume()``.
  mutating func pause() { isPaused = true }

  /// Goes on, as soon as all that are under way were answered.
  mutating func resume() { isPaused = false }

  /// When the oldest message is refused; `nil` when there is none.
  var firstDeadline: ContinuousClock.Instant? { messages.first?.deadline }

  /// Whether something may leave that has not.
  var hasWaiting: Bool { messages.count > underWay }

  private func index(of number: UInt64) -> Int? {
    messages.firstIndex { $0.number == number }
  }
}
