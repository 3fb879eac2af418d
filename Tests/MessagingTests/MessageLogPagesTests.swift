import MeetingModel
import OwnerTestSupport
import Storage
import Testing

@testable import Messaging

/// Tests of logs with few messages in memory.
@Suite struct MessageLogPagesTests {
  private static let rules = MessagingRules(
    recent: .init(messages: 4, bytes: .max), rate: RateLimit(perSecond: 1, burst: 5_000))

  /// Returns a log of twenty messages from Ada, and all stored messages of the log.
  private func long(lifetimeMs: Int32 = 0) throws -> (MessageLog, [StoredMessage]) {
    var log = MessageLog.with(.ada, .grace, rules: Self.rules)
    var stored: [StoredMessage] = []
    for number in 1...20 {
      if case .accepted(let message) = try log.send(.ada, "\(number)", lifetimeMs: lifetimeMs) {
        stored.append(message)
      }
    }
    return (log, stored)
  }

  /// Returns the sequence numbers that a replay requests from the store.
  private func wanted(
    _ underWay: inout ActiveReplay, of log: MessageLog, with page: StoredPage? = nil,
    at now: UInt64 = start
  ) -> ClosedRange<UInt64>? {
    guard case .read(let after, let through) = log.advance(&underWay, with: page, at: now) else {
      return nil
    }
    return after + 1...through
  }

  @Test func `a log keeps its newest messages and all unstored messages in memory`() throws {
    var (log, _) = try long()
    #expect(log.places.map(\.sequence) == Array(1...20))
    #expect(log.recent.messages.map(\.sequence) == [17, 18, 19, 20])
    let draft = try MessageDraft.from(.ada, "new", rules: Self.rules)
    for _ in 0..<9 { _ = try log.append(draft, at: start) }
    #expect(log.recent.messages.map(\.sequence) == Array(17...29))
    #expect(log.store()?.appended.map(\.sequence) == Array(21...29))
    #expect(log.recent.messages.map(\.sequence) == [27, 28, 29])
  }

  @Test func `a log keeps large messages in memory up to its byte limit`() throws {
    let rules = MessagingRules(recent: .init(messages: 100, bytes: 8_000))
    var log = MessageLog.with(.ada, rules: rules)
    for _ in 0..<20 { try log.send(.ada, String(repeating: "x", count: 2_000)) }
    #expect(log.recent.messages.map(\.sequence) == [19, 20])
    #expect(log.recent.bytes == log.recent.messages.reduce(0) { $0 + $1.replaySize })
    #expect(log.recent.bytes <= 8_000)
  }

  @Test func `a restored log keeps only the newest messages in memory`() throws {
    let (log, stored) = try long()
    let sessions = Array(log.sessions.values)
    let restored = MessageLog(
      rules: Self.rules,
      restoring: StoredLog(state: log.state, messages: stored, sessions: sessions), at: start)
    #expect(restored.places == log.places)
    #expect(restored.recent.messages.map(\.sequence) == [18, 19, 20])
  }

  @Test func `a replay reads from the store only messages that are not in memory`() throws {
    let (log, stored) = try long()
    var underWay = log.beginReplay(MessageReplayQuery(reader: Person.grace.reader()))
    #expect(wanted(&underWay, of: log) == 1...16)
    let first = StoredPage(messages: Array(stored[0..<5]), through: 5)
    #expect(wanted(&underWay, of: log, with: first) == 6...16)
    let second = StoredPage(messages: Array(stored[5..<16]), through: 16)
    guard case .finished(let replay) = log.advance(&underWay, with: second, at: start) else {
      Issue.record("The replay asks for more.")
      return
    }
    #expect(replay.messages == stored)
    #expect(replay.isComplete)
    #expect(replay.through == 20)
    var newest = log.beginReplay(MessageReplayQuery(reader: .gateway, epoch: 7, after: 16))
    #expect(wanted(&newest, of: log) == nil)
    var bounded = log.beginReplay(
      MessageReplayQuery(reader: .gateway, epoch: 7, after: 3, through: 9))
    #expect(wanted(&bounded, of: log) == 4...9)
  }

  @Test func `a replay does not read messages that its reader may not see`() throws {
    var (log, _) = try long()
    log.join(Person.edsger.session(), as: Person.edsger.participant, at: start)
    var late = log.beginReplay(MessageReplayQuery(reader: Person.edsger.reader()))
    #expect(wanted(&late, of: log) == nil)
    let (kept, _) = try long(lifetimeMs: 1_000)
    var expired = kept.beginReplay(MessageReplayQuery(reader: Person.grace.reader()))
    #expect(wanted(&expired, of: kept, at: start + 1_000) == nil)
    #expect(wanted(&expired, of: kept, at: start + 999) == nil, "It has come to the end.")
    var inTime = kept.beginReplay(MessageReplayQuery(reader: Person.grace.reader()))
    #expect(wanted(&inTime, of: kept, at: start + 999) == 1...16)
  }

  @Test func `a replay is incomplete if messages are pruned before they are read`() throws {
    var (log, stored) = try long()
    var underWay = log.beginReplay(MessageReplayQuery(reader: Person.grace.reader()))
    #expect(wanted(&underWay, of: log) == 1...16)
    log.prune(at: start + 180_000)
    let page = StoredPage(messages: Array(stored[0..<16]), through: 16)
    guard
      case .finished(let replay) = log.advance(&underWay, with: page, at: start + 180_000)
    else {
      Issue.record("The replay asks for more.")
      return
    }
    #expect(replay.messages == [])
    #expect(!replay.isComplete)
  }

  @Test func `a replay is complete if messages are pruned after they were read`() throws {
    var (log, stored) = try long()
    try log.send(.ada, "later", at: start + 1_000)
    let all = stored + log.recent.messages.suffix(1)
    var underWay = log.beginReplay(MessageReplayQuery(reader: Person.grace.reader()))
    #expect(wanted(&underWay, of: log) == 1...18)
    // The store's first page ends before message 18, so the replay requests message 18 next.
    var next = wanted(
      &underWay, of: log, with: StoredPage(messages: Array(all[0..<17]), through: 17))
    #expect(next == 18...18)
    next = wanted(&underWay, of: log, with: StoredPage(messages: [all[17]], through: 18))
    #expect(next == nil)
    log.prune(at: start + 180_000)
    guard case .finished(let replay) = log.advance(&underWay, at: start + 180_000) else {
      Issue.record("The replay asks for more.")
      return
    }
    #expect(replay.messages == all)
    #expect(replay.isComplete)
  }

  @Test func `a replay is incomplete if the store lacks a message`() throws {
    let (log, stored) = try long()
    var underWay = log.beginReplay(MessageReplayQuery(reader: .gateway))
    #expect(wanted(&underWay, of: log) == 1...16)
    let page = StoredPage(messages: Array(stored[0..<9] + stored[10..<16]), through: 16)
    guard case .finished(let replay) = log.advance(&underWay, with: page, at: start) else {
      Issue.record("The replay asks for more.")
      return
    }
    #expect(replay.messages.count == 19)
    #expect(!replay.isComplete)
  }

  @Test func `a replay that reaches its byte limit stops within a page`() throws {
    let (log, stored) = try long()
    let size = stored[0].replaySize
    var underWay = log.beginReplay(MessageReplayQuery(reader: .gateway, maxBytes: 3 * size))
    #expect(wanted(&underWay, of: log) == 1...16)
    let page = StoredPage(messages: Array(stored[0..<16]), through: 16)
    guard case .finished(let replay) = log.advance(&underWay, with: page, at: start) else {
      Issue.record("The replay asks for more.")
      return
    }
    #expect(replay.messages.map(\.sequence) == [1, 2, 3])
    #expect(replay.hasMore && replay.isComplete)
    #expect(replay.through == 3)
  }

  @Test func `a replay fails if its meeting ends during the replay`() throws {
    var logs = MessageLogs(rules: Self.rules, at: start)
    try logs.join(Person.ada.session(), as: Person.ada.participant, in: .planning, at: start)
    var underWay = try logs.beginReplay(MessageReplayQuery(reader: .gateway), of: .planning)
    logs.end(.planning, at: start)
    #expect(throws: MessagingError.meetingEnded) {
      try logs.advance(&underWay, of: .planning, at: start)
    }
  }

  @Test func `a replay restarts if its log was replaced by a new log`() throws {
    let rules = Self.rules
    var logs = MessageLogs(rules: rules, at: start)
    var disk = FakeDisk()
    func store() {
      if let batch = logs.takeBatch() {
        let isApplied = disk.apply(batch)
        #expect(isApplied)
      }
      logs.confirm(at: start)
    }
    for number in 1...20 {
      let draft = try MessageDraft(
        from: .service(nil), topic: "chat", data: [UInt8(number)], lifetimeMs: 0, rules: rules)
      _ = try logs.append(draft, to: .planning, at: start)
      store()
    }
    var underWay = try logs.beginReplay(MessageReplayQuery(reader: .gateway), of: .planning)
    let old = underWay.epoch
    let later = start + rules.idleRetentionMs
    logs.prune(at: later)
    try logs.open(.planning, at: later)
    store()
    let page = StoredPage(messages: [], through: 16)
    guard
      case .finished(let replay) = try logs.advance(
        &underWay, of: .planning, with: page, at: later)
    else {
      Issue.record("The replay asks for more.")
      return
    }
    #expect(replay.epoch != old)
    #expect(replay.messages == [] && replay.through == 0)
    #expect(replay.isComplete)
  }
}
