/// A session's connection to the server. The controllers of the session call the methods of this
/// protocol.
///
/// All calls return immediately, and the delegate receives the answers. A connection serves any
/// number of starts, one after another. The session has ended when the connection reports
/// `disconnectedAbnormally`, `serverHungUp` or `failedToConnect`, or the status `audioServerHungup`
/// or `audioJoinedFromAnotherDevice`. After that, `stop` has no effect.
protocol SessionConnection: AnyObject, Sendable {
  /// Opens the session, unmuted, after an earlier stop has finished.
  ///
  /// After a loss, the connection tries to reconnect until the reconnect timeout of the request.
  ///
  /// - Throws: An error when the process lacks a resource that a connection needs. After an error,
  ///   the delegate receives no call.
  func start(_ request: SessionStartParameters, delegate: any SessionConnectionDelegate) throws

  /// Leaves the session.
  ///
  /// After the server's answer or a timeout, the delegate receives `connectionDidStop` as its last
  /// call.
  func stop()

  /// Mutes or unmutes the session.
  ///
  /// Returns `true` if the connection accepts the change: the session is connecting, connected or
  /// reconnecting, and no operator's mute forbids the change.
  func setMuted(_ isMuted: Bool) -> Bool

  /// Whether the application requests noise suppression for the session's audio; false after each
  /// start.
  var isVoiceFocusEnabled: Bool { get }

  /// Turns noise suppression of the session's audio on or off. The setting still applies after the
  /// loss of a connection.
  ///
  /// - Returns: The error; `nil` if the connection accepts the change.
  func setVoiceFocus(_ isEnabled: Bool) -> VoiceFocusError?

  /// Chooses the language of transcripts and the spoken language; `nil` chooses no language.
  ///
  /// The choice still applies after the loss of a connection, and also applies to later starts.
  ///
  /// - Throws: `TranscriptLanguageError` if a language code is invalid.
  func setTranscriptLanguages(view: String?, spoken: String?) throws

  /// Sends a data message once, as soon as possible, after the earlier messages.
  ///
  /// The message's `then` receives the outcome. A stop waits up to 1 s for the answers to messages
  /// in flight.
  func send(_ message: OutgoingMessage)

  /// Changes the session's video requests.
  ///
  /// The requests still apply after the loss of a connection. Each start begins without requests.
  func want(_ wish: VideoRequestChange)

  /// Sends a request to let the session act as the given attendee of the primary meeting.
  ///
  /// The delegate receives `promotionWasAnswered` with the given number, unless the session ends or
  /// is demoted before the answer arrives.
  func promote(as credentials: MeetingSessionCredentials, _ number: Int)

  /// Ends the promotion, and abandons a promotion that has no answer yet.
  ///
  /// Has no effect if the session is not promoted and no promotion waits for its answer.
  func demote()
}
