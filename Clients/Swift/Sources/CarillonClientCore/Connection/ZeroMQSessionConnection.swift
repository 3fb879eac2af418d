internal import Synchronization

/// The connection of a session to its gateway over ZeroMQ.
final class ZeroMQSessionConnection: SessionConnection {
  private let logger: SessionLogger
  private let mediaResult: MediaResult
  private let urlRewriter: URLRewriter
  private let mute = LocalMuteState()
  private let voiceFocus = VoiceFocusSwitch()
  private let languages = TranscriptLanguages()
  private let current = Mutex<ReconnectingSession?>(nil)

  /// - Parameters:
  ///   - media: The engine for the session's audio and video; `nil` for a session without media. If
  ///     this value is a failure, every start throws the error of this failure.
  ///   - urlRewriter: Rewrites each address that the server names.
  init(
    logger: SessionLogger, media: MediaResult = .success(nil),
    urlRewriter: @escaping URLRewriter = URLRewriterUtils.defaultUrlRewriter
  ) {
    self.logger = logger
    mediaResult = media
    self.urlRewriter = urlRewriter
  }

  deinit {
    current.withLock { $0.take() }?.leave()
  }

  func start(_ request: SessionStartParameters, delegate: any SessionConnectionDelegate) throws {
    let client = ReconnectingSession(
      request, delegate: delegate, mute: mute, voiceFocus: voiceFocus, languages: languages,
      media: try mediaResult.get(), urlRewriter: urlRewriter, runtime: try ClientRuntime.current(),
      logger: logger)
    mute.open()
    voiceFocus.open()
    let previous = current.withLock { current in
      defer { current = client }
      return current
    }
    client.begin(after: previous)
  }

  private var media: (any MediaEngine)? { (try? mediaResult.get()) ?? nil }

  func stop() {
    mute.close()
    voiceFocus.close()
    current.withLock { $0 }?.leave()
  }

  func setMuted(_ isMuted: Bool) -> Bool {
    guard mute.set(isMuted) else { return false }
    media?.setMuted(mute.isSilenced)
    current.withLock { $0 }?.wishesDidChange()
    return true
  }

  var isVoiceFocusEnabled: Bool { voiceFocus.isEnabled }

  func setVoiceFocus(_ isEnabled: Bool) -> VoiceFocusError? {
    guard media != nil else { return .notInitialized }
    guard voiceFocus.set(isEnabled) else { return .audioClientNotStarted }
    current.withLock { $0 }?.wishesDidChange()
    return nil
  }

  func setTranscriptLanguages(view: String?, spoken: String?) throws {
    try languages.choose(view: view, spoken: spoken)
    current.withLock { $0 }?.wishesDidChange()
  }

  func send(_ message: OutgoingMessage) {
    guard let client = current.withLock({ $0 }) else {
      logger.error("A data message was dropped: no session could be opened.")
      message.then?(.failure(.notSent))
      return
    }
    client.send(message)
  }

  func want(_ wish: VideoRequestChange) {
    guard let client = current.withLock({ $0 }) else {
      return logger.error("Nothing is done about video: no session could be opened.")
    }
    client.want(wish)
  }

  func promote(as credentials: MeetingSessionCredentials, _ number: Int) {
    current.withLock { $0 }?.promote(as: credentials, number)
  }

  func demote() { current.withLock { $0 }?.demote() }
}
