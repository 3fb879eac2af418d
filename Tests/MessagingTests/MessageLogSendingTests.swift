import MeetingModel
import OwnerTestSupport
import Storage
import Testing

@testable import Messaging

@Suite struct MessageLogSendingTests {
  @Test func `messages of all senders are numbered from 1 without gaps`() throws {
    var log = MessageLog.with(.ada, .grace)
    #expect(try log.send(.ada).sequence == 1)
    #expect(try log.send(.grace).sequence == 2)
    #expect(try log.send(.ada).sequence == 3)
    #expect(log.messages.map(\.sequence) == [1, 2, 3])
  }

  @Test func `timestamps never decrease`() throws {
    var log = MessageLog.with(.ada)
    try log.send(.ada, at: start + 50)
    try log.send(.ada, at: start + 20)
    try log.send(.ada, at: start + 60)
    #expect(log.messages.map(\.acceptedAtMs) == [start + 50, start + 50, start + 60])
    var restored = MessageLog(
      rules: log.rules, restoring: StoredLog(state: log.state), at: start - 900)
    restored.join(Person.ada.session(), as: Person.ada.participant, at: start - 900)
    try restored.send(.ada, at: start - 900)
    #expect(restored.messages.map(\.acceptedAtMs) == [start + 60])
  }

  @Test func `only joined sessions and services can send`() throws {
    var log = MessageLog.with(.ada)
    #expect(throws: MessagingError.unknownSession) { try log.send(.grace) }
    log.leave(Person.ada.session())
    #expect(throws: MessagingError.unknownSession) { try log.send(.ada) }
    let notice = try MessageDraft(
      from: .service(nil), topic: "carillon:notice", data: [], lifetimeMs: 0, rules: log.rules)
    #expect(try log.append(notice, at: start).sequence == 1)
  }

  @Test func `a repeated message gets the sequence of the original message`() throws {
    var log = MessageLog.with(.ada)
    let draft = try MessageDraft.from(.ada, "once", key: "k")
    let first = try log.append(draft, at: start)
    #expect(first.sequence == 1)
    let again = try log.append(draft, at: start + 5)
    #expect(again == .repeated(try #require(log.places.first)))
    log.store()
    #expect(try log.append(draft, at: start + 179_999) == again)
    #expect(log.messages.count == 1)
  }

  @Test
  func `idempotency keys apply per sender, and messages without a key never count as repeats`()
    throws
  {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, key: "k")
    #expect(try log.send(.grace, key: "k").sequence == 2)
    #expect(try log.send(.ada, key: "other").sequence == 3)
    #expect(try log.send(.ada).sequence == 4)
    #expect(try log.send(.ada).sequence == 5)
  }

  @Test func `an idempotency key is forgotten after the resume window`() throws {
    var log = MessageLog.with(.ada)
    try log.send(.ada, key: "k")
    log.prune(at: start + 180_000)
    log.store()
    #expect(try log.send(.ada, key: "k", at: start + 180_000).sequence == 2)
  }

  @Test func `a message beyond the burst is throttled and leaves the log unchanged`() throws {
    let rules = MessagingRules(rate: RateLimit(perSecond: 100, burst: 2))
    var log = MessageLog.with(.ada, rules: rules)
    for _ in 0..<2 { try log.send(.ada) }
    let outcome = try log.send(.ada, "too much", key: "k")
    #expect(outcome.retryAfter == 10)
    #expect(log.texts(for: .gateway) == ["hello", "hello"])
    #expect(!log.hasChange)
    // The log did not accept the throttled message, so this message is not a repeat.
    guard case .accepted = try log.send(.ada, "again", key: "k", at: start + 10) else {
      Issue.record("The message was not accepted.")
      return
    }
  }

  @Test func `rate limits do not apply to repeated messages`() throws {
    let rules = MessagingRules(
      rate: RateLimit(perSecond: 1, burst: 1), attendeeFlood: RateLimit(perSecond: 1, burst: 1))
    var log = MessageLog.with(.ada, rules: rules)
    try log.send(.ada, key: "k")
    for _ in 0..<9 { #expect(try log.send(.ada, key: "k").sequence == 1) }
  }

  @Test func `all senders share the meeting's rate limit`() throws {
    let rules = MessagingRules(rate: RateLimit(perSecond: 1, burst: 2))
    var log = MessageLog.with(.ada, .grace, rules: rules)
    try log.send(.ada)
    try log.send(.grace)
    #expect(try log.send(.ada).retryAfter == 1_000)
    #expect(try log.send(.grace).retryAfter == 1_000)
  }

  @Test func `only an attendee that exceeds its own flood limit is refused as flooding`() throws {
    let rules = MessagingRules(
      rate: RateLimit(perSecond: 1, burst: 1), attendeeFlood: RateLimit(perSecond: 10, burst: 3))
    var log = MessageLog.with(.ada, .grace, rules: rules)
    for _ in 0..<3 { try log.send(.ada) }
    #expect(throws: MessagingError.flooding) { try log.send(.ada) }
    #expect(try log.send(.grace).retryAfter == 1_000)
    // Another session of the same attendee shares the limit.
    log.join(Person.ada.session(1), as: Person.ada.participant, at: start)
    let draft = try MessageDraft(
      from: .client(Person.ada.session(1), Person.ada.identity), topic: "chat", data: [],
      lifetimeMs: 0, rules: rules)
    #expect(throws: MessagingError.flooding) { try log.append(draft, at: start) }
    #expect(try log.send(.ada, at: start + 100).retryAfter != nil)
  }

  @Test func `a message that exceeds the meeting's flood limit is refused as flooding`() throws {
    let rules = MessagingRules(
      rate: RateLimit(perSecond: 1, burst: 1), meetingFlood: RateLimit(perSecond: 1, burst: 2))
    var log = MessageLog.with(.ada, .grace, rules: rules)
    try log.send(.ada)
    try log.send(.grace)
    #expect(throws: MessagingError.flooding) { try log.send(.grace) }
  }

  @Test func `the default limits admit a burst of 200 messages and detect flooding`() throws {
    var log = MessageLog.with(.ada)
    let outcomes = try (0..<300).map { try log.send(.ada, "\($0)") }
    #expect(outcomes.count { $0.sequence != nil } == 200)
    #expect(try log.send(.ada, at: start + 10).sequence == 201)
    for _ in 0..<1_699 { _ = try log.send(.ada, at: start + 10) }
    // The limit allows 2,000 messages in a burst, and two more messages after ten milliseconds.
    #expect(throws: Never.self) { for _ in 0..<1 { try log.send(.ada, at: start + 10) } }
    #expect(throws: MessagingError.flooding) {
      for _ in 0..<2 { try log.send(.ada, at: start + 10) }
    }
  }
}
