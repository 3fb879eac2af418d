/// A client in the demo's meeting, in whatever language, and all it has heard.
package protocol WatchedClient: Sendable {
  /// The external user id, by which the demo calls it.
  var name: String { get }
  var attendeeID: String { get }
  var journal: ClientJournal { get }

  /// Joins; `started` or the end follows in the journal.
  func start() async throws

  /// Mutes or unmutes the local attendee.
  ///
  /// - Returns: Whether the client took the request; what comes of it shows in the journals.
  func setMuted(_ isMuted: Bool) -> Bool

  /// Ends it, however it is.
  func stop() async

  /// What it complained of last; empty if it has no place for that.
  var lastWords: String { get }
}
