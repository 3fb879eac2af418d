internal import Synchronization

/// The mute state of the attendee: the mute of the application or of a host, and the mute of
/// operators. Any thread may read the state.
///
/// `setMuted` must return immediately on the caller's thread, so the client reports the mute to the
/// server later, with retries.
///
/// A host's mute has the same effect as the application's mute. So the `Start` request after a lost
/// connection also declares a host's mute, and only the application can unmute the attendee. The
/// server's events do not say who muted an attendee. So after the client has sent a mute, in a
/// request or in `Start`, the client takes the next event that reports a mute as the confirmation
/// of this mute. The client takes every other event that reports a mute as a host's mute.
final class LocalMuteState: Sendable {
  private struct State {
    var isOpen = false
    var isMuted = false
    var isHeldByOperator = false

    /// Whether a host muted the attendee, and the application has not changed the mute since.
    var isByHost = false

    /// Whether the client still waits for the event that confirms the client's own mute.
    var isAwaitingEvent = false

    /// The last reported mute; `nil` before the first report.
    var reported: Bool?
  }

  private let state = Mutex(State())

  /// The mute of the application or of a host. The client reports this mute to the server.
  var isMuted: Bool { state.withLock { $0.isMuted } }

  /// Whether the application, a host or an operator has muted the attendee.
  var isSilenced: Bool { state.withLock { $0.isMuted || $0.isHeldByOperator } }

  /// Begins a session, unmuted.
  func open() { state.withLock { $0 = State(isOpen: true) } }

  /// Ends the session. From now on, ``set(_:)`` rejects changes.
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
      state.isByHost = false
      return true
    }
  }

  /// Records that the client is about to send a mute, in a request or in `Start`.
  func willReport(_ isMuted: Bool) {
    state.withLock { state in
      if isMuted && state.reported != true { state.isAwaitingEvent = true }
    }
  }

  /// Records that a request failed. If the request had no effect, no event follows.
  func reportFailed() { state.withLock { $0.isAwaitingEvent = false } }

  /// Applies the mute state that an event or a roster of the server reports. ``hold(_:)`` applies
  /// operators' mutes.
  ///
  /// - Returns: Whether ``isMuted`` has changed.
  func learn(_ isMuted: Bool) -> Bool {
    state.withLock { state in
      state.reported = isMuted
      if isMuted && state.isAwaitingEvent {
        state.isAwaitingEvent = false
        return false
      }
      // A report that the attendee is unmuted ends a host's mute: the application unmuted the
      // attendee after the host had muted it.
      guard isMuted ? !state.isMuted : state.isByHost else { return false }
      state.isMuted = isMuted
      state.isByHost = isMuted
      return true
    }
  }
}
