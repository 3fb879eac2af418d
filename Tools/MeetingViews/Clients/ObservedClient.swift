/// A client in the demo's meeting, written in any language, with all events that the client has
/// received.
package protocol ObservedClient: Sendable {
  /// The external user id, which the demo uses as a name.
  var name: String { get }
  var attendeeID: String { get }
  var journal: ClientJournal { get }

  /// Joins the meeting. Then the journal receives `started` or the end of the session.
  func start() async throws

  /// Mutes or unmutes the local attendee.
  ///
  /// - Returns: Whether the client accepted the request. The journals of the clients show the
  ///   result.
  func setMuted(_ isMuted: Bool) -> Bool

  /// Stops the client in any state.
  func stop() async

  /// The client's last error output; empty for a client without error output.
  var lastWords: String { get }
}
