/// How much is kept of what happened in meetings.
public struct RecordRetention: Hashable, Sendable {
  /// Events of all meetings together; the oldest give way, whoever has not been told of them.
  public var maxEvents: Int

  /// Sessions of one meeting in its attendance; further ones are only counted.
  public var maxSessions: Int

  /// Receivers of events.
  public var maxWebhooks: Int

  /// Keeps as much as these say; each is at least 1.
  public init(maxEvents: Int = 100_000, maxSessions: Int = 100_000, maxWebhooks: Int = 16) {
    precondition(maxEvents > 0 && maxSessions > 0 && maxWebhooks > 0, "Something must be kept.")
    self.maxEvents = maxEvents
    self.maxSessions = maxSessions
    self.maxWebhooks = maxWebhooks
  }
}
