import MeetingModel

/// The limits of `messaging`. Durations are in milliseconds.
struct MessagingRules: Hashable, Sendable {
  /// The maximum size of one message, in bytes.
  var maxDataBytes = 2048

  /// The maximum lifetime. The service reduces longer lifetimes to this maximum.
  var maxLifetimeMs: UInt32 = 300_000

  /// For one meeting, the maximum number of messages that late joiners get.
  var maxKept = 1024

  /// How long the service keeps every message for sessions that were present, and every idempotency
  /// key for senders.
  var resumeWindowMs: UInt64 = 180_000

  /// The maximum number, and the maximum total size, of a log's newest messages that the service
  /// keeps in memory. The service reads older messages from the store.
  var recent = RecentMessages.Limit(messages: 512, bytes: 512 << 10)

  /// The soft limit of a meeting's messages. The service throttles messages beyond this limit.
  var rate = RateLimit(perSecond: 100, burst: 200)

  /// The hard limit of one attendee's attempts to send. An attempt that exceeds the limit ends the
  /// session that made this attempt.
  var attendeeFlood = RateLimit(perSecond: 200, burst: 2_000)

  /// The hard limit of all attempts in a meeting. An attempt that exceeds the limit ends the
  /// session that made this attempt.
  var meetingFlood = RateLimit(perSecond: 500, burst: 10_000)

  /// The maximum number of recipients of one message.
  var maxRecipients = 250

  /// How long the service keeps an unused log. If no gateway reports the end of the log's meeting,
  /// the service deletes the log after this time.
  var idleRetentionMs: UInt64 = 86_400_000

  /// How long the service remembers the end of a meeting. During this time, the service does not
  /// create the meeting's log again.
  var endingRetentionMs: UInt64 = 3_600_000

  /// The maximum number of sessions of one log. Further sessions replace the oldest sessions.
  var maxSessions = 65_536
}
