import Bus
import MeetingModel
import Storage
import Wire

extension SessionRequest {
  /// Creates the request of a browser that connects or joins.
  ///
  /// A browser gets no session id. The browser's token and the number that the browser has chosen
  /// identify the session, so that the browser can resume the session.
  ///
  /// - Parameters:
  ///   - wish: The browser's JOIN; `nil` if the browser has not sent one yet.
  ///   - formerState: Returns the remembered state of a session that the browser may resume.
  /// - Throws: ``SessionCredentials/refused`` if the path contains no meeting, or the token
  ///   contains no participant.
  init(
    _ handshake: WebSocketUpgradeRequest, _ wish: BrowserJoin?,
    formerState: (SessionID) -> ResumeState?
  ) throws(Status) {
    guard let meeting = handshake.meeting, let participant = handshake.token.participant else {
      throw SessionCredentials.refused
    }
    self.init(
      credentials: SessionCredentials(
        meeting: meeting, participant: participant, token: handshake.token),
      isMuteUnknown: true, transcripts: TranscriptPreferences(asMessages: true))
    named = wish?.audioSession.flatMap { handshake.token.session(numbered: $0) }
    if let named { resume(named, at: wish?.positions ?? [], formerState(named)) }
  }

  /// Resumes a session. Starts a new session if the gateway remembers no state of this client and
  /// the client sends no position.
  private mutating func resume(
    _ id: SessionID, at named: [V1.StreamPosition], _ former: ResumeState?
  ) {
    if former != nil || !named.isEmpty { resumed = id }
    isMuted = former?.isMuted ?? false
    isMuteUnknown = former?.isMuteUnknown ?? true
    isMutedByHost = former?.isMutedByHost ?? false
    positions =
      named.isEmpty ? former?.positions ?? [:] : [MeetingStream: StreamCursor](named)
  }
}
