import MeetingModel
import OwnerTestSupport
import Storage

@testable import Messaging

extension Person {
  func reader(_ device: UInt8 = 0) -> LogReader { .session(session(device), participant) }
}

/// When the tests begin, in milliseconds since 1970-01-01T00:00:00Z.
let start: UInt64 = 1_750_000_000_000

extension MessageDraft {
  /// A message of one word from somebody's first session.
  static func from(
    _ person: Person, _ text: String = "hello", lifetimeMs: Int32 = 0, to recipients: [Person] = [],
    key: String = "", round: UInt64 = 0, rules: MessagingRules = MessagingRules()
  ) throws(MessagingError) -> MessageDraft {
    try MessageDraft(
      from: .client(person.session(), person.identity), topic: "chat", data: Array(text.utf8),
      lifetimeMs: lifetimeMs, recipients: recipients.map(\.attendee.text), idempotencyKey: key,
      round: round, rules: rules)
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
    _ person: Person, _ text: String = "hello", lifetimeMs: Int32 = 0, to recipients: [Person] = [],
    key: String = "", at now: UInt64 = start
  ) throws -> AppendOutcome {
    let draft = try MessageDraft.from(
      person, text, lifetimeMs: lifetimeMs, to: recipients, key: key, rules: rules)
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
