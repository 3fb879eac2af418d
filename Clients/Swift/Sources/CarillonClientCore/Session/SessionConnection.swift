/// What the facade asks of the link to the server. All calls return at once; answers come to the
/// delegate.
///
/// A link is used for any number of starts, one after the other. It ends a session by itself when
/// it reports `disconnectedAbnormally`, `serverHungUp` or `failedToConnect`, or the status
/// `audioServerHungup` or `audioJoinedFromAnotherDevice`; a later `stop` is then without effect.
protocol SessionConnection: AnyObject, Sendable {
  /// Opens the session, unmuted, and keeps it open through lost connections until the request's
  /// reconnect timeout. A stop that is still under way is finished first.
  ///
  /// - Throws: When the process has not got what a link needs; the delegate then hears nothing.
  func start(_ request: SessionStart, delegate: any SessionConnectionDelegate) throws

  /// Leaves. When the server knows, or too much time has passed, the delegate hears
  /// `connectionDidStop`, and nothing after it.
  func stop()

  /// True when the change was accepted locally: connecting, connected or reconnecting, and not
  /// forbidden by an operator's mute.
  func setMuted(_ isMuted: Bool) -> Bool

  /// Whether noise suppression is wanted for what the session says. Each start begins without.
  var isVoiceFocusEnabled: Bool { get }

  /// Suppresses the noise in what the session says, or no longer. Kept through lost connections.
  ///
  /// - Returns: Why not; `nil` when the change was accepted locally.
  func setVoiceFocus(_ isEnabled: Bool) -> VoiceFocusError?

  /// Chooses the languages that transcripts come in and that is spoken. Kept through lost
  /// connections and from start to start; `nil` for none.
  ///
  /// - Throws: `TranscriptLanguageError`.
  func setTranscriptLanguages(view: String?, spoken: String?) throws

  /// Sends a data message when it can, once, behind those that were given before it. Tells the
  /// message what became of it; a stop waits a moment for messages that are on their way.
  func send(_ message: OutgoingMessage)

  /// Changes what the session wants of video, and keeps it so through lost connections. Each start
  /// begins with nothing.
  func want(_ wish: VideoChange)

  /// Asks that the session act as this attendee of the primary meeting. Unless the session ends or
  /// is demoted before, the delegate hears `promotionWasAnswered` with the number, later.
  func promote(as credentials: MeetingSessionCredentials, _ number: Int)

  /// Sees to it that the session only watches again, and waits for no answer to a promotion.
  /// Without effect where there is nothing to end.
  func demote()
}
