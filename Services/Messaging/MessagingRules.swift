import MeetingModel

/// The numbers that messaging decides by. Times are in milliseconds.
struct MessagingRules: Hashable, Sendable {
  /// Most bytes in one message.
  var maxDataBytes = 2048

  /// What a longer lifetime is cut to.
  var maxLifetimeMs: UInt32 = 300_000

  /// Messages of one meeting that late joiners get.
  var maxKept = 1024

  /// How long every message stays for the sessions that were present when it came, and its
  /// idempotency key for its sender.
  var resumeWindowMs: UInt64 = 180_000

  /// What stays in memory of a log's messages. Older ones are read from the store.
  var recent = RecentMessages.Limit(messages: 512, bytes: 512 << 10)

  /// Messages of a meeting; beyond it one comes back throttled.
  var rate = RateLimit(perSecond: 100, burst: 200)

  /// Attempts of one attendee to send; beyond it the session ends.
  var attendeeFlood = RateLimit(perSecond: 200, burst: 2_000)

  /// Attempts in a meeting; beyond it the session that made the last one ends.
  var meetingFlood = RateLimit(perSecond: 500, burst: 10_000)

  /// Attendees that one message may be addressed to.
  var maxRecipients = 250

  /// How long a log is kept that nobody sends to or begins to read: its meeting's end was not told.
  var idleRetentionMs: UInt64 = 86_400_000

  /// How long it is remembered that a meeting ended, so that nobody begins its log anew.
  var endingRetentionMs: UInt64 = 3_600_000

  /// Sessions that one log remembers; the oldest go first.
  var maxSessions = 65_536
}
