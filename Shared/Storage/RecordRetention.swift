/// The limits of the records about meetings.
public struct RecordRetention: Hashable, Sendable {
  /// The maximum number of events of all meetings together. The store evicts the oldest events,
  /// even if they have pending deliveries.
  public var maxEvents: Int

  /// The maximum number of sessions in a meeting's attendance. The store only counts further
  /// sessions.
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
