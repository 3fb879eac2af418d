/// A receiver of events.
public struct Webhook: Hashable, Sendable {
  /// The receiver's id, a GUID.
  public var id: String

  /// The `http` or `https` URL to which gateways post events.
  public var url: String

  /// Whether gateways send events to the receiver. While the receiver is disabled, its events
  /// accumulate.
  public var isEnabled: Bool

  /// The time of creation, in milliseconds since 1970-01-01T00:00:00Z.
  public var createdAt: Int64

  /// The number of pending deliveries.
  public var pending: Int64

  /// The number of deliveries that the store dropped because the store deleted the events of these
  /// deliveries.
  public var dropped: Int64

  /// The current failure of deliveries; `nil` if deliveries succeed.
  public var failure: Failure?

  /// The start and cause of failing deliveries.
  public struct Failure: Hashable, Sendable {
    /// The time of the first failure, in milliseconds since 1970-01-01T00:00:00Z.
    public var since: Int64
    /// The problem as text.
    public var problem: String
  }
}

/// The next pending delivery of one meeting's events to one receiver.
public struct WebhookDelivery: Hashable, Sendable {
  /// The receiver's id.
  public var webhook: String
  /// The URL to which the gateway posts the event.
  public var url: String

  /// The number of the receiver's dropped deliveries so far.
  public var dropped: Int64
  /// The event.
  public var event: MeetingEvent
}
