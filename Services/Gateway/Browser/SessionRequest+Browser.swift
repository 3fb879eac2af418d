import Bus
import MeetingModel
import Storage
import Wire

extension SessionRequest {
  /// What a browser asks for when it connects or joins.
  ///
  /// A browser cannot be given a session id. Its token and the number that it has chosen name its
  /// session, so that it can resume.
  ///
  /// - Parameters:
  ///   - wish: What the browser said when it joined; `nil` before that.
  ///   - formerState: What this gateway knows of a session that the browser may resume.
  /// - Throws: ``SessionCredentials/refused`` where the path names no meeting, or the token no
  ///   participant.
  init(
    _ handshake: BrowserHandshake, _ wish: BrowserJoin?,
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

  /// A client that was never here, and names no position, begins a new session.
  private mutating func resume(
    _ id: SessionID, at named: [V1.StreamPosition], _ former: ResumeState?
  ) {
    if former != nil || !named.isEmpty { resumed = id }
    isMuted = former?.isMuted ?? false
    isMuteUnknown = former?.isMuteUnknown ?? true
    positions =
      named.isEmpty ? former?.positions ?? [:] : [MeetingStream: StreamCursor](named)
  }
}
