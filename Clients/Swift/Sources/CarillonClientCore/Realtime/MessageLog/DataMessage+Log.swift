/// Carillon's additions to data messages.
extension DataMessage {
  /// The fields that a message has in the log and that messages of the meetings SDK for iOS do not
  /// have.
  struct Place: Hashable, Sendable {
    var sequence: UInt64 = 0
    var messageId = ""
    var lifetimeMs = 0
    var recipients: [String] = []
    var retryAfterMs = 0
  }

  /// The message's place in the meeting's log, from 1, ascending.
  ///
  /// Missing numbers belong to messages for other attendees. A throttled message of this session
  /// has the sequence 0.
  public var sequence: UInt64 { place.sequence }

  /// The message's id, unique in the meeting; empty for a throttled message of this session.
  public var messageId: String { place.messageId }

  /// How long the server keeps the message for late joiners, in milliseconds; 0 if the server does
  /// not keep the message.
  public var lifetimeMs: Int { place.lifetimeMs }

  /// The attendee ids of the recipients; empty for all attendees.
  public var recipients: [String] { place.recipients }

  /// The delay before the application may send a throttled message again, in milliseconds from the
  /// return of the message.
  public var retryAfterMs: Int { place.retryAfterMs }
}
