import Ownership

/// The limits and times that presence decides by.
struct PresenceRules: Hashable, Sendable {
  /// The most attendees in one meeting. Content shares do not count.
  var maxAttendees = 250

  /// The times that it waits for clients and gateways.
  var timing = OwnerTiming()

  /// The least time between two reports of a meeting's volumes and signal strengths.
  var levelsInterval: Duration = .milliseconds(200)

  /// How long an empty meeting is remembered.
  var emptyMeetingRetention: Duration = .seconds(600)

  /// How long an ended meeting is remembered, so that its last event can be replayed.
  var endedMeetingRetention: Duration = .seconds(60)

  /// How long an operator's decision overrides a `Join`, whose gateway may have read the store just
  /// before.
  var decisionMemory: Duration = .seconds(10)

  /// The most ended sessions, and the most deleted attendees, that one meeting remembers.
  var rememberedEndings = 1024

  /// How long it remembers them: longer than a client tries to resume, and longer than a gateway
  /// takes to join an attendee that it found in the store.
  var endingMemory: Duration = .seconds(300)
}
