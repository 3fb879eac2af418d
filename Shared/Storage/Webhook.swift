/// A receiver of events.
public struct Webhook: Hashable, Sendable {
  /// Names it; a GUID.
  public var id: String

  /// Where events are posted to, `http` or `https`.
  public var url: String

  /// Whether events are sent now. They gather meanwhile.
  public var isEnabled: Bool

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var createdAt: Int64

  /// How many events it has not been told yet.
  public var pending: Int64

  /// How many gave way before it was told of them.
  public var dropped: Int64

  /// Since when it has not taken what it was sent, and what it answered; `nil` if it does.
  public var failure: Failure?

  /// What is wrong with a receiver.
  public struct Failure: Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var since: Int64
    /// In words.
    public var problem: String
  }
}

/// An event that a receiver must be told next of its meeting.
public struct WebhookDelivery: Hashable, Sendable {
  /// The receiver's id.
  public var webhook: String
  /// Where it is posted to.
  public var url: String

  /// How many events gave way so far before the receiver was told of them.
  public var dropped: Int64
  /// What happened.
  public var event: MeetingEvent
}
