import MeetingModel
import Storage

/// A message as its sender wants it, checked.
struct MessageDraft: Hashable, Sendable {
  /// Who sends it.
  let origin: MessageOrigin
  let topic: String
  let data: [UInt8]

  /// How long it is kept, in milliseconds, cut to the most there is. 0: live-only.
  let lifetimeMs: UInt32

  /// No attendee twice. Empty: everybody.
  let recipients: [AttendeeID]

  /// Says that a repeat is the same message, or empty.
  let idempotencyKey: String

  /// Rises when its gateway sends again what was refused for the moment.
  let round: UInt64

  /// The round of its session that it belongs to; `nil` for a service's.
  var sendingRound: SendingRound? {
    if case .client(let session, _) = origin {
      SendingRound(session: session, number: round)
    } else {
      nil
    }
  }

  /// Checks lifetime, topic and length, in this order, and then the rest. Which types a payload may
  /// have, a check between topic and length, is the client's: here it is bytes.
  ///
  /// - Parameters:
  ///   - lifetime: In milliseconds.
  ///   - recipients: Attendee ids; repetitions count once.
  /// - Throws: ``MessagingError/negativeLifetime``, ``MessagingError/invalidTopic``,
  ///   ``MessagingError/tooLong(limit:)``, ``MessagingError/tooManyRecipients(limit:)``,
  ///   ``MessagingError/malformed(field:rule:)``.
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

/// Messages of a session that its gateway sent behind each other: behind a refused one, those of
/// the same round must not be accepted.
struct SendingRound: Hashable, Sendable {
  let session: SessionID
  let number: UInt64
}

/// Where a message comes from.
enum MessageOrigin: Hashable, Sendable {
  /// A client's session. Of a promoted attendee the sender is the one in the primary.
  case client(SessionID, ParticipantIdentity)
  /// A service, which may speak for an attendee.
  case service(ParticipantIdentity?)

  /// Whom receivers are told it is from; `nil`: a service.
  var sender: ParticipantIdentity? {
    switch self {
    case .client(_, let sender): sender
    case .service(let sender): sender
    }
  }

  func maySend(on topic: String) -> Bool {
    switch self {
    case .client: MessageTopic.isForClients(topic)
    case .service: MessageTopic.isForServices(topic)
    }
  }
}
