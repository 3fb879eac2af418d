import Bus
import Wire

/// One open `WatchDecisions` stream. The process that opened the stream forwards a meeting's media,
/// or observes the meeting.
///
/// The stream first carries the complete state, and then each change. If the service could not send
/// an item, the service later sends the complete state again. All methods run on the service's
/// thread.
final class TileDecisionStream {
  private let stream: ServerStream<V1.ForwardingUpdate>
  private var sequence: UInt64 = 0
  private(set) var state = State.waiting

  enum State: Hashable {
    /// The service has sent nothing yet.
    case waiting
    /// The receiver has the complete state.
    case upToDate
    /// The service could not send this number of consecutive items.
    case behind(failures: Int)
  }

  init(_ stream: ServerStream<V1.ForwardingUpdate>) { self.stream = stream }

  /// Sends a change, unless the service must first send the complete state.
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

  /// Ends the stream. The service calls this method when the meeting has ended, or when the
  /// receiver accepts no more items.
  func end() { stream.end() }
}
