import MeetingModel

/// The limits of messaging.
///
/// Times are in milliseconds.
struct MessagingRules: Hashable, Sendable {
  /// The maximum size of one message, in bytes.
  var maxDataBytes = 2048

  /// The longest lifetime; longer ones are cut to it.
  var maxLifetimeMs: UInt32 = 300_000

  /// The maximum number of messages of one meeting that late joiners get.
  var maxKept = 1024

  /// How long every message stays for sessions that were present, and its idempotency key for its
  /// sender.
  var resumeWindowMs: UInt64 = 180_000

  /// The part of a log's messages that stays in memory; older ones are read from the store.
  var recent = RecentMessages.Limit(messages: 512, bytes: 512 << 10)

  /// The soft limit of a meeting's messages; beyond it they are throttled.
  var rate = RateLimit(perSecond: 100, burst: 200)

  /// The hard limit of one attendee's attempts to send; beyond it the session ends.
  var attendeeFlood = RateLimit(perSecond: 200, burst: 2_000)

  /// The hard limit of attempts in a meeting; the session whose attempt exceeds it ends.
  var meetingFlood = RateLimit(perSecond: 500, burst: 10_000)

  /// The maximum number of recipients of one message.
  var maxRecipients = 250

  /// How long an unused log is kept, in case its meeting's end was never reported.
  var idleRetentionMs: UInt64 = 86_400_000

  /// How long the end of a meeting is remembered, so that its log is not recreated.
  var endingRetentionMs: UInt64 = 3_600_000

  /// The maximum number of sessions of one log; beyond it the oldest are removed.
  var maxSessions = 65_536
}
