/// Additions of Carillon.
extension DataMessage {
  /// What the log knows of a message beside what the facade shows.
  struct Place: Hashable, Sendable {
    var sequence: UInt64 = 0
    var messageId = ""
    var lifetimeMs = 0
    var recipients: [String] = []
    var retryAfterMs = 0
  }

  /// Its place among the messages of the meeting, from 1, rising; places that are left out belong
  /// to messages for others. 0 for an own message that came back.
  public var sequence: UInt64 { place.sequence }

  /// Unique in the meeting; empty for an own message that came back.
  public var messageId: String { place.messageId }

  /// How long the server keeps it for late joiners, in milliseconds; 0: not at all.
  public var lifetimeMs: Int { place.lifetimeMs }

  /// Ids of the attendees it was addressed to; empty: everybody.
  public var recipients: [String] { place.recipients }

  /// When an own message that came back throttled may be sent again, at the earliest, in
  /// milliseconds from then.
  public var retryAfterMs: Int { place.retryAfterMs }
}
