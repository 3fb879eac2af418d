import MeetingModel
import OwnerTestSupport
import Storage
import Testing

@testable import Messaging

@Suite struct MessageLogReplayTests {
  @Test func `a late joiner gets messages with a lifetimeMs but no live-only messages`() throws {
    var log = MessageLog.with(.ada)
    try log.send(.ada, "live")
    try log.send(.ada, "kept", lifetimeMs: 60_000)
    log.join(Person.grace.session(), as: Person.grace.participant, at: start)
    log.store()
    #expect(log.texts(for: Person.grace.reader()) == ["kept"])
    #expect(log.texts(for: Person.grace.reader(), at: start + 59_999) == ["kept"])
    #expect(log.texts(for: Person.grace.reader(), at: start + 60_000) == [])
  }

  @Test func `a present session can get live-only messages until the resume window ends`() throws {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, "one")
    try log.send(.ada, "two", at: start + 1_000)
    #expect(log.texts(for: Person.grace.reader()) == ["one", "two"])
    #expect(log.texts(for: Person.grace.reader(), after: 1) == ["two"])
    log.prune(at: start + 180_000)
    #expect(log.texts(for: Person.grace.reader()) == ["two"])
    log.prune(at: start + 181_000)
    #expect(log.texts(for: Person.grace.reader()) == [])
  }

  @Test func `a session gets live-only messages that were accepted after its join`() throws {
    var log = MessageLog.with(.ada)
    let before = try MessageDraft.from(.ada, "before")
    let after = try MessageDraft.from(.ada, "after")
    // The store contains neither message yet.
    _ = try log.append(before, at: start)
    log.join(Person.grace.session(), as: Person.grace.participant, at: start)
    _ = try log.append(after, at: start)
    #expect(log.texts(for: Person.grace.reader()) == [])
    log.store()
    #expect(log.texts(for: Person.grace.reader()) == ["after"])
  }

  @Test func `a repeated join of a session changes nothing`() throws {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, "live")
    log.join(Person.grace.session(), as: Person.grace.participant, at: start)
    #expect(!log.hasChange)
    #expect(log.texts(for: Person.grace.reader()) == ["live"])
  }

  @Test func `a session that has left is treated as a late joiner`() throws {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, "live")
    try log.send(.ada, "kept", lifetimeMs: 1_000)
    log.leave(Person.grace.session())
    #expect(log.texts(for: Person.grace.reader()) == ["kept"])
  }

  @Test func `a lost session is remembered for the resume window`() throws {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, "before")
    log.lose(Person.grace.session(), at: start + 10_000)
    // Another gateway reports the same loss later.
    log.lose(Person.grace.session(), at: start + 11_000)
    try log.send(.ada, "meanwhile", at: start + 20_000)
    #expect(log.texts(for: Person.grace.reader()) == ["before", "meanwhile"])
    log.prune(at: start + 189_999)
    #expect(log.texts(for: Person.grace.reader()) == ["meanwhile"])
    log.store()
    log.prune(at: start + 190_000)
    #expect(log.texts(for: Person.grace.reader()) == [])
    #expect(Set(log.sessions.keys) == [Person.ada.session()])
    #expect(log.takeChange()?.left == [Person.grace.session()])
  }

  @Test func `a lost session that joins again is not removed`() throws {
    var log = MessageLog.with(.ada, .grace)
    log.lose(Person.grace.session(), at: start)
    log.join(Person.grace.session(), as: Person.grace.participant, at: start + 1_000)
    log.prune(at: start + 180_000)
    #expect(log.sessions[Person.grace.session()] != nil)
    log.lose(Person.edsger.session(), at: start)
    log.prune(at: start + 400_000)
    #expect(log.sessions.count == 2)
  }

  @Test func `a reader with another participant's session id gets no live-only messages`() throws {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, "live")
    let stranger = MessageLogReader.session(Person.grace.session(), Person.edsger.participant)
    #expect(log.texts(for: stranger) == [])
  }

  @Test func `a sender does not get its own messages`() throws {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, "mine", lifetimeMs: 60_000)
    try log.send(.grace, "hers")
    #expect(log.texts(for: Person.ada.reader()) == ["hers"])
    #expect(log.texts(for: Person.ada.reader(1)) == [])
  }

  @Test func `a message with recipients is delivered only to these recipients`() throws {
    var log = MessageLog.with(.ada, .grace, .edsger)
    try log.send(.ada, "secret", lifetimeMs: 60_000, to: [.grace])
    try log.send(.ada, "public", lifetimeMs: 60_000)
    #expect(log.texts(for: Person.grace.reader()) == ["secret", "public"])
    #expect(log.texts(for: Person.edsger.reader()) == ["public"])
    #expect(log.texts(for: Person.grace.reader(1)) == ["secret", "public"])
    #expect(log.texts(for: Person.grace.content.reader()) == ["public"])
  }

  @Test func `late joiners get the newest 1024 kept messages`() throws {
    let rules = MessagingRules(
      recent: .init(messages: 2_000, bytes: .max), rate: RateLimit(perSecond: 1, burst: 5_000))
    var log = MessageLog.with(.ada, .grace, rules: rules)
    for number in 0..<1_030 { try log.send(.ada, "\(number)", lifetimeMs: 300_000) }
    try log.send(.ada, "live")
    let late = log.texts(for: Person.edsger.reader())
    #expect(late == (6..<1_030).map(String.init))
    // A session that was present still gets all messages.
    #expect(log.texts(for: Person.grace.reader()).count == 1_031)
    #expect(log.keptCount == 1_024)
  }

  @Test func `a message beyond the limit of kept messages stays hidden when newer ones expire`()
    throws
  {
    var log = MessageLog.with(.ada, rules: MessagingRules(maxKept: 2))
    try log.send(.ada, "oldest", lifetimeMs: 300_000)
    try log.send(.ada, "short", lifetimeMs: 10)
    try log.send(.ada, "newest", lifetimeMs: 300_000)
    #expect(log.texts(for: Person.grace.reader(), at: start + 20) == ["newest"])
    // An expired message does not count toward the limit.
    try log.send(.ada, "next", lifetimeMs: 300_000, at: start + 20)
    #expect(log.texts(for: Person.grace.reader(), at: start + 20) == ["newest", "next"])
  }

  @Test func `live-only messages do not count toward the limit of kept messages`() throws {
    var log = MessageLog.with(.ada, rules: MessagingRules(maxKept: 1))
    try log.send(.ada, "kept", lifetimeMs: 1_000)
    for _ in 0..<50 { try log.send(.ada, "live") }
    #expect(log.texts(for: Person.grace.reader()) == ["kept"])
  }

  @Test func `only gateways get expired messages, and only until the messages are pruned`()
    throws
  {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, "short", lifetimeMs: 10)
    try log.send(.ada, "secret", to: [.grace])
    #expect(log.texts(for: Person.grace.reader(), at: start + 10) == ["secret"])
    #expect(log.texts(for: .gateway, at: start + 10) == ["short", "secret"])
    log.prune(at: start + 179_999)
    #expect(log.texts(for: .gateway, at: start + 179_999) == ["short", "secret"])
    log.prune(at: start + 180_000)
    #expect(log.texts(for: .gateway, at: start + 180_000) == [])
  }

  @Test func `a replay that reaches its byte limit stops between two messages`() throws {
    var log = MessageLog.with(.ada, .grace)
    for number in 0..<10 {
      try log.send(
        .ada, String(repeating: "\(number)", count: 1_000), to: number == 4 ? [.ada] : [])
    }
    var query = MessageReplayQuery(reader: Person.grace.reader(), maxBytes: 3_000)
    var sequences: [UInt64] = []
    var pages = 0
    while true {
      let page = log.replay(query, at: start)
      sequences += page.messages.map(\.sequence)
      pages += 1
      #expect(page.messages.reduce(0) { $0 + $1.replaySize } <= 3_000)
      #expect(page.isComplete)
      (query.epoch, query.after) = (page.epoch, page.through)
      guard page.hasMore else { break }
    }
    #expect(sequences == [1, 2, 3, 4, 6, 7, 8, 9, 10])
    #expect(query.after == 10)
    #expect(pages == 5)
    query = MessageReplayQuery(reader: Person.grace.reader(), maxBytes: 1)
    #expect(log.replay(query, at: start).messages.map(\.sequence) == [1])
  }

  @Test func `a replay stops at the requested last position`() throws {
    var log = MessageLog.with(.ada, .grace)
    for number in 1...5 { try log.send(.ada, "\(number)") }
    var query = MessageReplayQuery(reader: Person.grace.reader(), epoch: 7, after: 1, through: 3)
    let replay = log.replay(query, at: start)
    #expect(replay.messages.map(\.text) == ["2", "3"])
    #expect(replay.through == 3)
    query.through = 99
    #expect(log.replay(query, at: start).through == 5)
    (query.after, query.through) = (4, 2)
    #expect(log.replay(query, at: start).messages == [])
    #expect(log.replay(query, at: start).through == 4)
  }

  @Test
  func
    `a replay from a position of another epoch returns all messages and is marked incomplete`()
    throws
  {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, "one")
    let replay = log.replay(
      MessageReplayQuery(reader: Person.grace.reader(), epoch: 6, after: 40), at: start)
    #expect(replay.messages.map(\.text) == ["one"])
    #expect(replay.epoch == 7)
    #expect(replay.through == 1)
    #expect(!replay.isComplete)
  }

  @Test func `a replay from a position beyond the log returns no messages`() throws {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, "one")
    let replay = log.replay(
      MessageReplayQuery(reader: Person.grace.reader(), epoch: 7, after: 40), at: start)
    #expect(replay.messages == [])
    #expect(replay.through == 1)
    #expect(!replay.isComplete)
  }

  @Test func `a replay is complete unless a message that the reader missed was pruned`() throws {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, "live")
    try log.send(.ada, "short", lifetimeMs: 10)
    log.prune(at: start + 180_000)
    log.store()
    try log.send(.ada, "new", at: start + 180_000)
    func isComplete(_ reader: MessageLogReader, after: UInt64) -> Bool {
      let query = MessageReplayQuery(reader: reader, epoch: after == 0 ? 0 : 7, after: after)
      return log.replay(query, at: start + 180_000).isComplete
    }
    #expect(!isComplete(Person.grace.reader(), after: 0))
    // The reader misses only the live-only message, because the lifetime of the other message had
    // ended.
    #expect(isComplete(Person.grace.reader(), after: 1))
    #expect(isComplete(.gateway, after: 1))
    #expect(!isComplete(.gateway, after: 0))
    // A session that joins late misses no message. A session that claims to have been present may
    // miss messages.
    #expect(isComplete(Person.edsger.reader(), after: 0))
    #expect(!isComplete(Person.edsger.reader(), after: 2))
    #expect(isComplete(Person.edsger.reader(), after: 3))
    log.join(Person.edsger.session(), as: Person.edsger.participant, at: start + 180_000)
    #expect(isComplete(Person.edsger.reader(), after: 0))
  }
}
