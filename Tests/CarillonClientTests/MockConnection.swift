import Synchronization

@testable import CarillonClientCore

/// A connection that records a session's requests. The test answers these requests.
final class MockConnection: SessionConnection {
  private struct State {
    var starts: [SessionStartParameters] = []
    var delegates: [any SessionConnectionDelegate] = []
    var stopCount = 0
    var mutes: [Bool] = []
    var messages: [OutgoingMessage] = []
    var wishes: [VideoRequestChange] = []
    var languages: [[String?]] = []
    var acceptsMute = true
    var isVoiceFocusEnabled = false
    var voiceFocusError: VoiceFocusError?
    var answersStop = true
    var startError: (any Error)?
    var promotions: [MeetingSessionCredentials] = []
    var demotionCount = 0
  }

  private let state = Mutex(State())

  var starts: [SessionStartParameters] { state.withLock { $0.starts } }
  var stopCount: Int { state.withLock { $0.stopCount } }
  var mutes: [Bool] { state.withLock { $0.mutes } }
  var messages: [OutgoingMessage] { state.withLock { $0.messages } }
  var wishes: [VideoRequestChange] { state.withLock { $0.wishes } }

  /// The credentials of the requested promotions. The promotions are numbered from 1.
  var promotions: [MeetingSessionCredentials] { state.withLock { $0.promotions } }
  var demotionCount: Int { state.withLock { $0.demotionCount } }

  var languages: [[String?]] { state.withLock { $0.languages } }

  /// The delegate of the latest start.
  var delegate: (any SessionConnectionDelegate)? { state.withLock { $0.delegates.last } }

  /// Sets the result of `setMuted`.
  func accept(mute: Bool) { state.withLock { $0.acceptsMute = mute } }

  /// Sets the reason why the session cannot change noise suppression; `nil` if the session can
  /// change it.
  func refuse(voiceFocus error: VoiceFocusError?) { state.withLock { $0.voiceFocusError = error } }

  /// After this call, `stop` no longer calls `connectionDidStop`. The test calls
  /// `connectionDidStop` itself.
  func holdStop() { state.withLock { $0.answersStop = false } }

  /// Makes all later starts fail with the given error.
  func failStarts(with error: any Error) { state.withLock { $0.startError = error } }

  func start(_ request: SessionStartParameters, delegate: any SessionConnectionDelegate) throws {
    try state.withLock {
      if let error = $0.startError { throw error }
      $0.starts.append(request)
      $0.delegates.append(delegate)
    }
  }

  func stop() {
    let delegate = state.withLock { state in
      state.stopCount += 1
      return state.answersStop ? state.delegates.last : nil
    }
    delegate?.connectionDidStop()
  }

  func setMuted(_ isMuted: Bool) -> Bool {
    state.withLock {
      $0.mutes.append(isMuted)
      return $0.acceptsMute
    }
  }

  var isVoiceFocusEnabled: Bool { state.withLock { $0.isVoiceFocusEnabled } }

  func setVoiceFocus(_ isEnabled: Bool) -> VoiceFocusError? {
    state.withLock { state in
      if state.voiceFocusError == nil { state.isVoiceFocusEnabled = isEnabled }
      return state.voiceFocusError
    }
  }

  func setTranscriptLanguages(view: String?, spoken: String?) throws {
    state.withLock { $0.languages.append([view, spoken]) }
  }

  func send(_ message: OutgoingMessage) { state.withLock { $0.messages.append(message) } }

  func want(_ wish: VideoRequestChange) { state.withLock { $0.wishes.append(wish) } }

  func promote(as credentials: MeetingSessionCredentials, _ number: Int) {
    state.withLock { $0.promotions.append(credentials) }
  }

  func demote() { state.withLock { $0.demotionCount += 1 } }
}

/// Returns mock connections in the order in which a session requests connections.
final class MockConnections: Sendable {
  private let waiting: Mutex<[MockConnection]>

  init(_ connections: MockConnection...) { waiting = Mutex(connections) }

  func next() -> MockConnection {
    waiting.withLock { $0.isEmpty ? MockConnection() : $0.removeFirst() }
  }
}
