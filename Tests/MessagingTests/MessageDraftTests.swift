import MeetingModel
import OwnerTestSupport
import Testing

@testable import Messaging

@Suite struct MessageDraftTests {
  private let rules = MessagingRules()

  private func draft(
    lifetimeMs: Int32 = 0, topic: String = "chat", bytes: Int = 0, recipients: [String] = [],
    key: String = "", service: Bool = false
  ) throws(MessagingError) -> MessageDraft {
    try MessageDraft(
      from: service ? .service(nil) : .client(Person.ada.session(), Person.ada.identity),
      topic: topic, data: [UInt8](repeating: 0, count: bytes), lifetimeMs: lifetimeMs,
      recipients: recipients, idempotencyKey: key, rules: rules)
  }

  @Test func `lifetimeMs, topic, length and recipients are checked in this order`() {
    let many = [String](repeating: "nobody", count: 251)
    #expect(throws: MessagingError.negativeLifetime) {
      try draft(lifetimeMs: -1, topic: "", bytes: 2049, recipients: many)
    }
    #expect(throws: MessagingError.invalidTopic) {
      try draft(topic: "", bytes: 2049, recipients: many)
    }
    #expect(throws: MessagingError.tooLong(limit: 2048)) {
      try draft(bytes: 2049, recipients: many)
    }
    #expect(throws: MessagingError.tooManyRecipients(limit: 250)) { try draft(recipients: many) }
    #expect(throws: MessagingError.malformed(field: "recipients", rule: "attendee ids")) {
      try draft(recipients: ["nobody"], key: "é")
    }
    #expect(throws: MessagingError.self) { try draft(key: "é") }
  }

  @Test(arguments: [
    ("a", true), (String(repeating: "x", count: 36), true), ("AZaz09_-", true), ("", false),
    (String(repeating: "x", count: 37), false), ("two words", false), ("a.b", false),
    ("naïve", false), ("abc\n", false), ("abc\r\n", false), ("a/b", false), ("a\u{0}", false),
    ("aws:chime:transcription", false), ("carillon:notice", false), ("e\u{301}", false),
  ])
  func `a client's topic consists of 1-36 letters, digits, _ or -`(topic: String, isValid: Bool) {
    #expect(((try? draft(topic: topic)) != nil) == isValid)
  }

  @Test(arguments: [
    ("chat", true), ("aws:chime:transcription", true), ("carillon:notice", true),
    ("aws:chime:", false), ("carillon:", false), ("other:topic", false), ("aws:chime:a b", false),
    ("carillon:" + String(repeating: "x", count: 55), true),
    ("carillon:" + String(repeating: "x", count: 56), false),
  ])
  func `services can use reserved topics`(topic: String, isValid: Bool) {
    #expect(((try? draft(topic: topic, service: true)) != nil) == isValid)
  }

  @Test(arguments: [(0, 0), (1, 1), (300_000, 300_000), (300_001, 300_000), (.max, 300_000)])
  func `a lifetimeMs above five minutes is reduced to five minutes`(asked: Int32, given: UInt32)
    throws
  {
    #expect(try draft(lifetimeMs: asked).lifetimeMs == given)
  }

  @Test(arguments: [0, 1, 2048])
  func `a message can have up to 2048 bytes`(bytes: Int) throws {
    #expect(try draft(bytes: bytes).data.count == bytes)
  }

  @Test func `recipients that differ only in case count once`() throws {
    let texts = [Person.grace.attendee.text, Person.grace.attendee.text.uppercased()]
    #expect(try draft(recipients: texts).recipients == [Person.grace.attendee])
    let most = (0..<250).map { _ in AttendeeID.random().text }
    #expect(try draft(recipients: most).recipients.count == 250)
  }

  @Test(arguments: [
    ("", true), ("k 1", true), (String(repeating: "k", count: 64), true),
    (String(repeating: "k", count: 65), false), ("k\n", false), ("ключ", false),
  ])
  func `an idempotency key consists of up to 64 printable ASCII characters`(
    key: String, isValid: Bool
  ) {
    #expect(((try? draft(key: key)) != nil) == isValid)
  }

  @Test(arguments: [
    MessagingError.negativeLifetime, .invalidTopic, .tooLong(limit: 1),
    .tooManyRecipients(limit: 1), .malformed(field: "sender", rule: "present"),
  ])
  func `an invalid message is refused as an invalid argument`(error: MessagingError) {
    #expect(error.status.code == .invalidArgument)
    #expect(error.status.sessionStatus == nil)
  }

  @Test func `flooding ends the session with the status audioServerHungup`() {
    #expect(MessagingError.flooding.status.code == .resourceExhausted)
    #expect(MessagingError.flooding.status.reason == .flooding)
    #expect(MessagingError.flooding.status.sessionStatus == .audioServerHungup)
  }
}
