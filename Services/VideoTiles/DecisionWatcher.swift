import Bus
import Wire

/// One open `WatchDecisions`: who forwards media of a meeting, or looks on.
///
/// It gets everything first and then what changes; after an item that could not be sent, everything
/// again. Lives on the service's thread.
final class DecisionWatcher {
  private let stream: ServerStream<V1.ForwardingUpdate>
  private var sequence: UInt64 = 0
  private(set) var state = State.waiting

  enum State: Hashable {
    /// It has got nothing yet.
    case waiting
    /// It has got everything.
    case upToDate
    /// So many items in a row could not be sent.
    case behind(failures: Int)
  }

  init(_ stream: ServerStream<V1.ForwardingUpdate>) { self.stream = stream }

  /// Sends what changed, unless everything is due.
  func send(_ change: ForwardingChange) {
    if state == .upToDate { send(change, isComplete: false) }
  }

  /// Sends all that there is.
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

  /// The meeting is over, or nobody takes what is sent.
  func end() { stream.end() }
}
