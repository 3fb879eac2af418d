internal import Synchronization

/// Whether the application wants noise suppression, readable from any thread at once.
///
/// The facade answers on its caller's thread; the server learns of it later, as often as it takes.
final class VoiceFocusSwitch: Sendable {
  private struct State {
    var isOpen = false
    var isEnabled = false
  }

  private let state = Mutex(State())

  /// What the server ought to know. Off unless a session is open.
  var isEnabled: Bool { state.withLock { $0.isOpen && $0.isEnabled } }

  /// A session begins, without noise suppression.
  func open() { state.withLock { $0 = State(isOpen: true) } }

  /// The session is over: nothing is accepted any more.
  func close() { state.withLock { $0 = State() } }

  /// Whether the change is accepted: while a session is open.
  func set(_ isEnabled: Bool) -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      state.isEnabled = isEnabled
      return true
    }
  }

  /// The server says how it is after it was asked for something, which may not be wanted any more.
  func learn(_ isEnabled: Bool, asked wanted: Bool) {
    state.withLock { state in
      if state.isEnabled == wanted { state.isEnabled = isEnabled }
    }
  }
}
