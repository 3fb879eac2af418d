internal import Synchronization

/// The mute state of the application and of operators, readable from any thread.
///
/// `setMuted` must return at once on the caller's thread. The client reports the mute to the server
/// later, with retries.
final class MuteGate: Sendable {
  private struct State {
    var isOpen = false
    var isMuted = false
    var isHeldByOperator = false
  }

  private let state = Mutex(State())

  /// The application's mute, to report to the server.
  var isMuted: Bool { state.withLock { $0.isMuted } }

  /// Whether the application or an operator has muted the attendee.
  var isSilenced: Bool { state.withLock { $0.isMuted || $0.isHeldByOperator } }

  /// Begins a session, unmuted.
  func open() { state.withLock { $0 = State(isOpen: true) } }

  /// Ends the session. Further changes are rejected.
  func close() { state.withLock { $0.isOpen = false } }

  /// Sets or clears an operator's mute.
  func hold(_ isHeld: Bool) { state.withLock { $0.isHeldByOperator = isHeld } }

  /// Sets the application's mute.
  ///
  /// Returns `false` and changes nothing if no session is open, or if an operator's mute forbids
  /// unmuting.
  func set(_ isMuted: Bool) -> Bool {
    state.withLock { state in
      guard state.isOpen, isMuted || !state.isHeldByOperator else { return false }
      state.isMuted = isMuted
      return true
    }
  }
}
