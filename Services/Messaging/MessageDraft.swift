import MeetingModel
import Storage

/// A validated message that has no place in a log yet.
struct MessageDraft: Hashable, Sendable {
  /// The sender.
  let origin: MessageOrigin
  let topic: String
  let data: [UInt8]

  /// The lifetime in milliseconds, at most the allowed maximum; 0 for a live-only message.
  let lifetimeMs: UInt32

  /// The recipients, each once; empty for all attendees.
  let recipients: [AttendeeID]

  /// The key that identifies repeats of the same message; empty if the sender does not repeat
  /// messages.
  let idempotencyKey: String

  /// A number that rises when the gateway repeats messages that `messaging` refused temporarily.
  let round: UInt64

  /// The sending round of the message; `nil` for a message of a service.
  var sendingRound: PipelinedMessageRun? {
    if case .client(let session, _) = origin {
      PipelinedMessageRun(session: session, number: round)
    } else {
      nil
    }
  }

  /// Checks lifetime, topic and length, in this order, and then the other values.
  ///
  /// A client also checks the type of the payload, after the topic and before the length. For this
  /// service, the payload is only bytes.
  ///
  /// - Parameters:
  ///   - lifetimeMs: The lifetime in milliseconds.
  ///   - recipients: The ids of attendees. Repeats count once.
  /// - Throws: ``MessagingError/negativeLifetime``, ``MessagingError/invalidTopic``,
  ///   ``MessagingError/tooLong(limit:)``, ``MessagingError/tooManyRecipients(limit:)``
  ///   or ``MessagingError/malformed(field:rule:)``.
  init(
    from origin: MessageOrigin, topic: String, data: [UInt8], lifetimeMs: Int32,
    recipients: [String] = [], idempotencyKey: String = "", round: UInt64 = 0,
    rules: MessagingRules
  ) throws(MessagingError) {
    guard lifetimeMs >= 0 else { throw .negativeLifetime }
    guard origin.maySend(on: topic) else { throw .invalidTopic }
    guard data.count <= rules.maxDataBytes else { throw .tooLong(limit: rules.maxDataBytes) }
    guard recipients.count <= rules.maxRecipients else {
      throw .tooManyRecipients(limit: rules.maxRecipients)
    }
    self.origin = origin
    self.topic = topic
    self.round = round
    self.data = data
    self.lifetimeMs = min(UInt32(lifetimeMs), rules.maxLifetimeMs)
    self.recipients = try Self.attendees(recipients)
    guard idempotencyKey.utf8.count <= 64,
      idempotencyKey.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { throw .malformed(field: "idempotency_key", rule: "1-64 printable ASCII characters") }
    self.idempotencyKey = idempotencyKey
  }

  private static func attendees(_ texts: [String]) throws(MessagingError) -> [AttendeeID] {
    var seen: Set<AttendeeID> = []
    var attendees: [AttendeeID] = []
    for text in texts {
      guard let id = try? AttendeeID(text) else {
        throw .malformed(field: "recipients", rule: "attendee ids")
      }
      if seen.insert(id).inserted { attendees.append(id) }
    }
    return attendees
  }
}

/// A round of sending: a sequence of a session's messages that the session's gateway sent without a
/// pause.
///
/// After `messaging` has refused a message of a round, `messaging` must not accept later messages
/// of this round.
struct PipelinedMessageRun: Hashable, Sendable {
  let session: SessionID
  let number: UInt64
}

/// The origin of a message.
enum MessageOrigin: Hashable, Sendable {
  /// A client's session. For a promoted session, the sender is the attendee in the primary.
  case client(SessionID, ParticipantIdentity)
  /// A service, which may send in the name of an attendee.
  case service(ParticipantIdentity?)

  /// The sender that receivers see; `nil` for a service.
  var sender: ParticipantIdentity? {
    switch self {
    case .client(_, let sender): sender
    case .service(let sender): sender
    }
  }

  func maySend(on topic: String) -> Bool {
    switch self {
    case .client: MessageTopicRules.isForClients(topic)
    case .service: MessageTopicRules.isForServices(topic)
    }
  }
}
