internal import MeetingModel
internal import Synchronization

/// Where the application's data messages wait for the session's thread, fed from any thread at
/// once.
///
/// ``MessageSender`` empties it.
final class MessageOutbox: Sendable {
  /// What became of a message that was added.
  enum Outcome: Sendable {
    /// - Parameter isFirst: The sender does not know yet that something waits.
    case queued(isFirst: Bool)
    /// There is no room for it: the sender gives it back.
    case full(isFirst: Bool)
    /// The session is over.
    case closed
  }

  private struct State {
    var queue: OutgoingQueue
    var isOpen = true
    var isAnnounced = false
  }

  private let state: Mutex<State>
  private let keys = IdempotencyKeys()

  init(limits: OutgoingQueue.Limits = OutgoingQueue.Limits()) {
    state = Mutex(State(queue: OutgoingQueue(limits: limits)))
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

  /// Says that a repeat is the same message; no message of this or another session has it too.
  func idempotencyKey(of entry: OutgoingQueue.Entry) -> String { keys.key(of: entry.number) }

  /// Looks after the queue. What is added from now on is announced again.
  func withQueue<Result: Sendable>(_ body: (inout OutgoingQueue) -> sending Result) -> Result {
    state.withLock { state in
      state.isAnnounced = false
      return body(&state.queue)
    }
  }

  /// Takes nothing more, and returns what was not answered, and what there was no room for.
  func close() -> (answerless: [OutgoingQueue.Entry], returned: [OutgoingMessage]) {
    state.withLock { state in
      state.isOpen = false
      let answerless = state.queue.takeAll()
      return (answerless, state.queue.takeReturned())
    }
  }
}
