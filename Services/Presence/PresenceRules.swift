import Ownership

/// The limits and durations of `presence`.
struct PresenceRules: Hashable, Sendable {
  /// The maximum number of attendees in one meeting, not counting content shares.
  var maxAttendees = 250

  /// The times that the service waits for silent clients and gateways, and for the announcements of
  /// gateways.
  var timing = OwnerGracePeriods()

  /// The minimum time between two reports of a meeting's volumes and signal strengths.
  var levelsInterval: Duration = .milliseconds(200)

  /// How long the service remembers an empty meeting.
  var emptyMeetingRetention: Duration = .seconds(600)

  /// How long the service remembers an ended meeting, so that the service can replay the last
  /// event.
  var endedMeetingRetention: Duration = .seconds(60)

  /// How long an operator's decision overrides a `Join`. The gateway that sends the `Join` may have
  /// read the store just before the decision.
  var decisionMemory: Duration = .seconds(10)

  /// The limits of knocks at locked meetings.
  var knocks = Knocks.Rules()

  /// The maximum number of ended sessions that one meeting remembers. The same maximum applies to
  /// deleted attendees and to ended promotions.
  var rememberedEndings = 1024

  /// How long a meeting remembers an ended session or a deleted attendee.
  ///
  /// Clients try to resume a session for less than this time. After a gateway has read an attendee
  /// in the store, the gateway also takes less than this time to send the attendee's `Join`.
  var endingMemory: Duration = .seconds(300)
}
