import MeetingModel
import Storage

@testable import Messaging

/// Somebody for the tests: the same number is the same attendee.
struct Person: Hashable, Sendable {
  let number: UInt8
  var modality: Modality?

  static let ada = Person(number: 1)
  static let grace = Person(number: 2)
  static let edsger = Person(number: 3)

  var content: Person { Person(number: number, modality: .content) }

  var attendee: AttendeeID { participant.attendee }

  var participant: ParticipantID {
    guard let id = try? AttendeeID("00000000-0000-4000-8000-0000000000" + hex(number)) else {
      preconditionFailure("The fixture's attendee id is wrong.")
    }
    return ParticipantID(id, modality: modality)
  }

  var sender: MessageSender {
    MessageSender(id: participant, externalUserID: ExternalUserID(unchecked: "person-\(number)"))
  }

  /// The `device`th session of this person.
  func session(_ device: UInt8 = 0) -> SessionID {
    let bytes = [number, device, modality == nil ? 0 : 1] + [UInt8](repeating: 7, count: 13)
    guard let id = SessionID(bytes: bytes) else {
      preconditionFailure("The fixture's session id is wrong.")
    }
    return id
  }

  func reader(_ device: UInt8 = 0) -> LogReader { .session(session(device), participant) }
}

private func hex(_ number: UInt8) -> String {
  String(number / 16, radix: 16) + String(number % 16, radix: 16)
}

extension MeetingID {
  static let planning = numbered(1)
  static let review = numbered(2)

  static func numbered(_ number: UInt8) -> MeetingID {
    guard let id = try? MeetingID("00000000-0000-4000-8000-1000000000" + hex(number)) else {
      preconditionFailure("The fixture's meeting id is wrong.")
    }
    return id
  }
}

/// When the tests begin, in milliseconds since 1970-01-01T00:00:00Z.
let start: UInt64 = 1_750_000_000_000

extension MessageDraft {
  /// A message of one word from somebody's first session.
  static func from(
    _ person: Person, _ text: String = "hello", lifetime: Int32 = 0, to recipients: [Person] = [],
    key: String = "", rules: MessagingRules = MessagingRules()
  ) throws(MessagingError) -> MessageDraft {
    try MessageDraft(
      from: .client(person.session(), person.sender), topic: "chat", data: Array(text.utf8),
      lifetime: lifetime, recipients: recipients.map(\.attendee.text), idempotencyKey: key,
      rules: rules)
  }
}

extension MessageLog {
  /// A log in which these have joined and everything is stored.
  static func with(_ people: Person..., rules: MessagingRules = MessagingRules()) -> MessageLog {
    var log = MessageLog(rules: rules, epoch: 7, at: start)
    for person in people { log.join(person.session(), as: person.participant, at: start) }
    log.store()
    return log
  }

  /// Sends and stores.
  @discardableResult
  mutating func send(
    _ person: Person, _ text: String = "hello", lifetime: Int32 = 0, to recipients: [Person] = [],
    key: String = "", at now: UInt64 = start
  ) throws -> AppendOutcome {
    let draft = try MessageDraft.from(
      person, text, lifetime: lifetime, to: recipients, key: key, rules: rules)
    let outcome = try append(draft, at: now)
    store()
    return outcome
  }

  /// Stores what there is to store.
  @discardableResult
  mutating func store() -> LogChange? {
    let change = takeChange()
    if let change { confirm(change) }
    return change
  }

  /// The texts that a reader gets.
  func texts(
    for reader: LogReader, after: UInt64 = 0, at now: UInt64 = start
  ) -> [String] {
    let query = ReplayQuery(reader: reader, epoch: after == 0 ? 0 : state.epoch, after: after)
    return replay(query, at: now).messages.map(\.text)
  }
}

extension StoredMessage {
  var text: String { String(decoding: data, as: UTF8.self) }
}

extension AppendOutcome {
  /// The message's place, unless it was throttled.
  var sequence: UInt64? {
    switch self {
    case .accepted(let message), .repeated(let message): message.sequence
    case .throttled: nil
    }
  }

  var retryAfter: UInt32? {
    if case .throttled(let wait) = self { wait } else { nil }
  }
}
