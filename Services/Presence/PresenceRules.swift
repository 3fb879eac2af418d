import Ownership

/// The numbers that presence decides by.
struct PresenceRules: Hashable, Sendable {
  /// Most attendees in one meeting. Content shares do not count.
  var maxAttendees = 250

  /// How long it waits for clients and gateways.
  var timing = OwnerTiming()

  /// Least time between two reports of volumes and signal strengths of one meeting.
  var levelsInterval: Duration = .milliseconds(200)

  /// How long a meeting without anybody is remembered.
  var emptyMeetingRetention: Duration = .seconds(600)

  /// How long an ended meeting is remembered, so that its last event can be replayed.
  var endedMeetingRetention: Duration = .seconds(60)

  /// How long an operator's decision outweighs what a `Join` says, which may have read the store
  /// just before.
  var decisionMemory: Duration = .seconds(10)

  /// Ended sessions and deleted attendees that one meeting remembers, each.
  var rememberedEndings = 1024

  /// How long it remembers them: longer than a client tries to resume, and a gateway to join one
  /// whom it found in the store.
  var endingMemory: Duration = .seconds(300)
}
