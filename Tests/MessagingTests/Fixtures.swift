import MeetingModel
import OwnerTestSupport
import Storage

@testable import Messaging

extension Person {
  func reader(_ device: UInt8 = 0) -> MessageLogReader { .session(session(device), participant) }
}

/// The start time of the tests, in milliseconds since 1970-01-01T00:00:00Z.
let start: UInt64 = 1_750_000_000_000

extension MessageDraft {
  /// Returns a message of one word from a person's first session.
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
  /// Returns a log that these people have joined, with all changes stored.
  static func with(_ people: Person..., rules: MessagingRules = MessagingRules()) -> MessageLog {
    var log = MessageLog(rules: rules, epoch: 7, at: start)
    for person in people { log.join(person.session(), as: person.participant, at: start) }
    log.store()
    return log
  }

  /// Sends a message, and stores the message.
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

  /// Stores all pending changes.
  @discardableResult
  mutating func store() -> LogChange? {
    let change = takeChange()
    if let change { confirm(change) }
    return change
  }

  /// Returns the texts that a reader gets.
  func texts(
    for reader: MessageLogReader, after: UInt64 = 0, at now: UInt64 = start
  ) -> [String] {
    let query = MessageReplayQuery(
      reader: reader, epoch: after == 0 ? 0 : state.epoch, after: after)
    return replay(query, at: now).messages.map(\.text)
  }
}

extension MessageLog {
  /// The messages that are in memory with their content.
  var messages: [StoredMessage] { recent.messages }

  /// Replays the messages that are in memory.
  func replay(_ query: MessageReplayQuery, at now: UInt64) -> MessageReplayAnswer {
    var underWay = beginReplay(query)
    guard case .finished(let replay) = advance(&underWay, at: now) else {
      preconditionFailure("Read the store for what is older, or raise the limit of the log.")
    }
    return replay
  }
}

extension MessageLogs {
  /// Replays messages, and reads the older messages in small pages.
  func replay(
    _ query: MessageReplayQuery, of meeting: MeetingID, from disk: FakeDisk, at now: UInt64
  ) throws(MessagingError) -> MessageReplayAnswer {
    var underWay = try beginReplay(query, of: meeting)
    var page: StoredPage?
    while true {
      switch try advance(&underWay, of: meeting, with: page, at: now) {
      case .finished(let replay): return replay
      case .read(let after, let through):
        page = disk.page(
          of: meeting, epoch: underWay.epoch, after: after, through: through, atMost: 3)
      }
    }
  }
}

extension StoredMessage {
  /// Returns whether the message's lifetime has ended. A message for present sessions only
  /// (`live-only`) has no lifetime.
  func hasExpired(at now: UInt64) -> Bool { StoredMessageSummary(self).hasExpired(at: now) }

  var text: String { String(decoding: data, as: UTF8.self) }
}

extension AppendOutcome {
  /// The message's sequence; `nil` if the logs throttled the message.
  var sequence: UInt64? {
    switch self {
    case .accepted(let message): message.sequence
    case .repeated(let place): place.sequence
    case .throttled: nil
    }
  }

  var retryAfter: UInt32? {
    if case .throttled(let wait) = self { wait } else { nil }
  }
}
