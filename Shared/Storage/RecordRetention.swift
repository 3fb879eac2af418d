/// The limits of the records about meetings.
public struct RecordRetention: Hashable, Sendable {
  /// The maximum number of events of all meetings together. The oldest are evicted, even if they
  /// have pending deliveries.
  public var maxEvents: Int

  /// The maximum number of sessions in a meeting's attendance. Further sessions are only counted.
  public var maxSessions: Int

  /// The maximum number of webhooks, which receive events.
  public var maxWebhooks: Int

  /// Creates limits; each is at least 1.
  public init(maxEvents: Int = 100_000, maxSessions: Int = 100_000, maxWebhooks: Int = 16) {
    precondition(maxEvents > 0 && maxSessions > 0 && maxWebhooks > 0, "Something must be kept.")
    self.maxEvents = maxEvents
    self.maxSessions = maxSessions
    self.maxWebhooks = maxWebhooks
  }
}
