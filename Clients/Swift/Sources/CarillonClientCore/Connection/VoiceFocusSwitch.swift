internal import Synchronization

/// The application's request for noise suppression. Any thread may read the request.
///
/// The application's call returns immediately on the caller's thread. The client reports the
/// request to the server later, with retries.
final class VoiceFocusSwitch: Sendable {
  private struct State {
    var isOpen = false
    var isEnabled = false
  }

  private let state = Mutex(State())

  /// The state to report to the server. Noise suppression is off unless a session is open.
  var isEnabled: Bool { state.withLock { $0.isOpen && $0.isEnabled } }

  /// Begins a session, without noise suppression.
  func open() { state.withLock { $0 = State(isOpen: true) } }

  /// Ends the session. From now on, ``set(_:)`` rejects changes.
  func close() { state.withLock { $0 = State() } }

  /// Sets the request.
  ///
  /// - Returns: Whether this method accepts the request; `false` unless a session is open.
  func set(_ isEnabled: Bool) -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      state.isEnabled = isEnabled
      return true
    }
  }

  /// Applies the server's answer, unless the application has changed the request since.
  func learn(_ isEnabled: Bool, asked wanted: Bool) {
    state.withLock { state in
      if state.isEnabled == wanted { state.isEnabled = isEnabled }
    }
  }
}
