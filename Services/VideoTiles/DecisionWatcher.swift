import Bus
import Wire

/// One open `WatchDecisions` stream, to a process that forwards a meeting's media or observes it.
///
/// It receives everything first and then each change. After an item that could not be sent, it
/// receives everything again. Lives on the service's thread.
final class DecisionWatcher {
  private let stream: ServerStream<V1.ForwardingUpdate>
  private var sequence: UInt64 = 0
  private(set) var state = State.waiting

  enum State: Hashable {
    /// Nothing has been sent yet.
    case waiting
    /// Everything has been sent.
    case upToDate
    /// The latest items in a row could not be sent.
    case behind(failures: Int)
  }

  init(_ stream: ServerStream<V1.ForwardingUpdate>) { self.stream = stream }

  /// Sends a change, unless everything must be sent.
  func send(_ change: ForwardingChange) {
    if state == .upToDate { send(change, isComplete: false) }
  }

  /// Sends the complete state.
  func sendEverything(_ everything: ForwardingChange) { send(everything, isComplete: true) }

  private func send(_ change: ForwardingChange, isComplete: Bool) {
    sequence += 1
    let update = V1.ForwardingUpdate(change, sequence: sequence, isComplete: isComplete)
    guard !stream.send(update) else {
      state = .upToDate
      return
    }
    switch state {
    case .waiting, .upToDate: state = .behind(failures: 1)
    case .behind(let failures): state = .behind(failures: failures + 1)
    }
  }

  /// Ends the stream, after the meeting ended or the watcher stopped accepting items.
  func end() { stream.end() }
}
