import Foundation
import Synchronization

/// The lifecycle of one session. The type starts and stops the session's connection to the server,
/// and rejects calls that need a connection while there is none.
final class SessionLifecycle: Sendable {
  private enum Phase {
    /// The application has not started the session, or has stopped it. The last run may still be
    /// leaving the meeting.
    case idle(leaving: SessionRun?)
    /// The application has started the session. The run records whether the server has ended the
    /// session since the start.
    case running(SessionRun)
  }

  private let configuration: MeetingSessionConfiguration
  private let connection: any SessionConnection
  private let environment: SessionDependencies
  private let voices: SessionObservers
  private let log: SessionLogger
  private let phase = Mutex(Phase.idle(leaving: nil))

  init(
    configuration: MeetingSessionConfiguration, connection: any SessionConnection,
    environment: SessionDependencies, voices: SessionObservers, log: SessionLogger
  ) {
    self.configuration = configuration
    self.log = log
    self.connection = connection
    self.environment = environment
    self.voices = voices
  }

  /// Whether the session has started, and neither the application, the server nor a failure has
  /// ended the session.
  var isLive: Bool { run?.isLive ?? false }

  /// Whether the application has started the session and not stopped it. The server may have ended
  /// the session.
  var isOpen: Bool { run != nil }

  /// Starts the session. See `AudioVideoControllerFacade` for the errors and their order.
  func start(_ audioVideoConfiguration: AudioVideoConfiguration) throws {
    environment.appStateMonitor.start()
    try checkPermission(for: audioVideoConfiguration.audioDeviceCapabilities)
    try phase.withLock { phase in
      if case .running(let run) = phase, run.isLive { throw MediaError.illegalState }
      guard !isBlank(configuration.urls.audioHostUrl), !isBlank(configuration.urls.audioFallbackUrl)
      else { throw MediaError.audioFailedToStart }
      switch phase {
      case .idle(let last): last?.connectionDidStop()
      case .running(let ended): ended.leave()
      }
      let run = SessionRun(
        voices: voices, promotions: SessionPromotions(over: connection, voices),
        environment: environment)
      phase = .running(run)
      run.begin()
      var request = SessionStartParameters(
        configuration, reconnectTimeoutMs: audioVideoConfiguration.reconnectTimeoutMs)
      request.audioMode = audioVideoConfiguration.audioMode
      request.audioDevices = audioVideoConfiguration.audioDeviceCapabilities
      request.hasAudioRedundancy = audioVideoConfiguration.enableAudioRedundancy
      do {
        try connection.start(request, delegate: run)
      } catch {
        log.error("No session can be opened: \(error)")
        phase = .idle(leaving: nil)
        run.failToBegin()
        throw MediaError.audioFailedToStart
      }
    }
    voices.localVideo.end()
  }

  /// Leaves the meeting. Has no effect if the session is not started.
  func stop() {
    environment.appStateMonitor.stop()
    if isOpen { voices.localVideo.release() }
    phase.withLock { phase in
      guard case .running(let run) = phase else { return }
      run.leave()
      phase = .idle(leaving: run)
      connection.stop()
    }
  }

  /// Mutes or unmutes the attendee.
  ///
  /// - Returns: Whether the connection accepts the change; `false` unless the session is live.
  func setMuted(_ isMuted: Bool) -> Bool {
    isLive && connection.setMuted(isMuted)
  }

  /// Whether the application requests noise suppression; `false` unless the session is live.
  var isVoiceFocusEnabled: Bool { isLive && connection.isVoiceFocusEnabled }

  /// Turns noise suppression on or off.
  ///
  /// - Returns: The error; `nil` if the connection accepts the change.
  func setVoiceFocus(_ isEnabled: Bool) -> VoiceFocusError? {
    isLive ? connection.setVoiceFocus(isEnabled) : .audioClientNotStarted
  }

  /// Sets the transcript language and the spoken language, for this start of the session and for
  /// later starts.
  func setTranscriptLanguages(view: String?, spoken: String?) throws {
    try connection.setTranscriptLanguages(view: view, spoken: spoken)
  }

  /// Passes a data message to the connection, which reports the outcome.
  func send(_ message: OutgoingMessage) { connection.send(message) }

  /// Changes the session's video requests.
  ///
  /// - Returns: Whether the session is open. If the session is not open, the call has no effect.
  @discardableResult
  func want(_ wish: VideoRequestChange) -> Bool {
    guard isOpen else { return false }
    connection.want(wish)
    return true
  }

  /// Requests the promotion of a replica's attendee; the observer receives the answer on the main
  /// thread.
  func promote(
    as credentials: MeetingSessionCredentials,
    telling observer: MainQueueBox<any PrimaryMeetingPromotionObserver>
  ) {
    guard let run else {
      return SessionPromotions.tellPromoted(observer, .audioServiceUnavailable)
    }
    run.promote(as: credentials, telling: observer)
  }

  /// Ends the promotion. Has no effect if there is no promotion.
  func demote() { run?.demote() }

  private var run: SessionRun? {
    phase.withLock { phase in
      guard case .running(let run) = phase else { return nil }
      return run
    }
  }

  private func checkPermission(for capabilities: AudioDeviceCapabilities) throws {
    guard capabilities == .inputAndOutput, environment.permissions.recordPermission != .granted
    else { return }
    voices.eventAnalytics.publishEvent(
      name: .audioInputFailed,
      attributes: [EventAttributeName.audioInputError: PermissionError.audioPermissionError])
    throw PermissionError.audioPermissionError
  }

  private func isBlank(_ url: String) -> Bool {
    url.allSatisfy(\.isWhitespace)
  }
}
