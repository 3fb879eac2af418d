internal import MeetingModel
internal import Synchronization

/// The thread-safe queue of the application's data messages.
///
/// Any thread adds messages; ``MessageSender`` removes the messages on the session's thread.
final class MessageOutbox: Sendable {
  /// The result of adding a message.
  enum Outcome: Sendable {
    /// - Parameter isFirst: Whether the caller must notify the ``MessageSender`` that messages
    ///   wait.
    case queued(isFirst: Bool)
    /// The queue is full. The sender returns the message to the application.
    case full(isFirst: Bool)
    /// The session has ended.
    case closed
  }

  private struct State {
    var queue: UnacknowledgedMessages
    var isOpen = true
    var isAnnounced = false
  }

  private let state: Mutex<State>
  private let keys = IdempotencyKeyGenerator()

  init(limits: UnacknowledgedMessages.Limits = UnacknowledgedMessages.Limits()) {
    state = Mutex(State(queue: UnacknowledgedMessages(limits: limits)))
  }

  func add(_ message: OutgoingMessage) -> Outcome {
    state.withLock { state in
      guard state.isOpen else { return .closed }
      let hasRoom = state.queue.add(message)
      defer { state.isAnnounced = true }
      let isFirst = !state.isAnnounced
      return hasRoom ? .queued(isFirst: isFirst) : .full(isFirst: isFirst)
    }
  }

  /// Returns the idempotency key of a message. All retries of the message have this key, and no
  /// other message of any session has the same key.
  func idempotencyKey(of entry: UnacknowledgedMessages.Entry) -> String {
    keys.key(of: entry.number)
  }

  /// Accesses the queue. After this call, ``add(_:)`` reports the next message as the first again.
  func withQueue<Result: Sendable>(_ body: (inout UnacknowledgedMessages) -> sending Result)
    -> Result
  {
    state.withLock { state in
      state.isAnnounced = false
      return body(&state.queue)
    }
  }

  /// Rejects further messages. Returns the unanswered messages, and the messages that exceeded the
  /// limits.
  func close() -> (answerless: [UnacknowledgedMessages.Entry], returned: [OutgoingMessage]) {
    state.withLock { state in
      state.isOpen = false
      let answerless = state.queue.takeAll()
      return (answerless, state.queue.takeReturned())
    }
  }
}
