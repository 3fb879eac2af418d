internal import Synchronization

/// What the application wants to be heard, readable from any thread at once.
///
/// `setMuted` must answer on the caller's thread; the server learns of it later, as often as it
/// takes.
final class MuteGate: Sendable {
  private struct State {
    var isOpen = false
    var isMuted = false
    var isHeldByOperator = false
  }

  private let state = Mutex(State())

  /// What the server ought to know.
  var isMuted: Bool { state.withLock { $0.isMuted } }

  /// Whether nothing may be said: by the application's wish or by an operator's.
  var isSilenced: Bool { state.withLock { $0.isMuted || $0.isHeldByOperator } }

  /// A session begins, unmuted.
  func open() { state.withLock { $0 = State(isOpen: true) } }

  /// The session is over: nothing is accepted any more.
  func close() { state.withLock { $0.isOpen = false } }

  /// An operator mutes the attendee, or lets it speak again.
  func hold(_ isHeld: Bool) { state.withLock { $0.isHeldByOperator = isHeld } }

  /// Whether the change is accepted: always while a session is open, but for unmuting against an
  /// operator's mute.
  func set(_ isMuted: Bool) -> Bool {
    state.withLock { state in
      guard state.isOpen, isMuted || !state.isHeldByOperator else { return false }
      state.isMuted = isMuted
      return true
    }
  }
}
