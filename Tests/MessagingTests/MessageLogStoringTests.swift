import MeetingModel
import OwnerTestSupport
import Storage
import Testing

@testable import Messaging

@Suite struct MessageLogStoringTests {
  @Test func `a message cannot be read before it is stored`() throws {
    var log = MessageLog.with(.ada, .grace)
    _ = try log.append(.from(.ada, "one"), at: start)
    let change = log.takeChange()
    _ = try log.append(.from(.ada, "two"), at: start)
    #expect(log.texts(for: .gateway) == [])
    try log.confirm(#require(change))
    #expect(log.texts(for: .gateway) == ["one"])
    let next = log.store()
    #expect(next?.appended.map(\.text) == ["two"])
    #expect(log.texts(for: .gateway) == ["one", "two"])
  }

  @Test func `a change of the log contains the new entries and the previous sequence`() throws {
    var log = MessageLog.with(.ada)
    try log.send(.ada, "one")
    _ = try log.append(.from(.ada, "two", lifetimeMs: 5), at: start + 5)
    log.join(Person.grace.session(), as: Person.grace.participant, at: start + 6)
    log.leave(Person.ada.session())
    let taken = log.takeChange()
    let change = try #require(taken)
    #expect(change.previousSequence == 1)
    #expect(change.state.lastSequence == 2)
    #expect(change.state.lastAcceptedAtMs == start + 5)
    #expect(change.state.touchedAtMs == start + 6)
    #expect(change.appended.map(\.sequence) == [2])
    #expect(
      change.joined
        == [
          StoredLogReader(
            id: Person.grace.session(), participant: Person.grace.participant, presentAfter: 2)
        ])
    #expect(change.left == [Person.ada.session()])
    #expect(log.hasChange)
    log.confirm(change)
    #expect(!log.hasChange)
  }

  @Test func `a failed write releases its sequences and idempotency keys`() throws {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, "stored", key: "a")
    _ = try log.append(.from(.ada, "lost", lifetimeMs: 9, key: "b"), at: start)
    log.join(Person.edsger.session(), as: Person.edsger.participant, at: start)
    let change = log.takeChange()
    _ = try log.append(.from(.grace, "lost too", key: "c"), at: start)
    log.rollBack(change)
    #expect(!log.hasChange)
    #expect(log.messages.map(\.text) == ["stored"])
    #expect(log.sessions[Person.edsger.session()] == nil)
    // These messages are not repeats, because the log never accepted the lost messages.
    guard case .accepted(let again) = try log.send(.ada, "lost", key: "b") else {
      Issue.record("A void message has a place.")
      return
    }
    #expect(again.sequence == 2)
    #expect(log.texts(for: Person.grace.reader()) == ["stored", "lost"])
  }

  @Test func `rolled-back messages do not count toward the limit of kept messages`() throws {
    var log = MessageLog.with(.ada, rules: MessagingRules(maxKept: 1))
    for text in ["void", "void too"] {
      _ = try log.append(.from(.ada, text, lifetimeMs: 60_000), at: start)
    }
    log.rollBack(log.takeChange())
    try log.send(.ada, "kept", lifetimeMs: 60_000)
    #expect(log.texts(for: Person.grace.reader()) == ["kept"])
  }

  @Test func `the next write repeats the deletions of a failed write`() throws {
    var log = MessageLog.with(.ada, .grace)
    try log.send(.ada, "old")
    log.prune(at: start + 180_000)
    log.leave(Person.grace.session())
    log.rollBack(log.takeChange())
    let change = log.takeChange()
    #expect(change?.pruned == [1])
    #expect(change?.left == [Person.grace.session()])
  }

  @Test func `a session that leaves and rejoins before the next write is kept`() throws {
    var log = MessageLog.with(.ada)
    log.leave(Person.ada.session())
    log.join(Person.ada.session(), as: Person.ada.participant, at: start)
    let change = log.takeChange()
    #expect(change?.left == [])
    #expect(log.sessions.count == 1)
  }

  @Test func `a restored log has the same state and continues its numbering`() throws {
    var disk = FakeDisk()
    var logs = MessageLogs(rules: MessagingRules(maxKept: 2), at: start)
    func store() {
      guard let batch = logs.takeBatch() else { return }
      let isApplied = disk.apply(batch)
      #expect(isApplied)
      logs.confirm(at: start)
    }
    for person in [Person.ada, .grace] {
      try logs.join(person.session(), as: person.participant, in: .planning, at: start)
    }
    for text in ["one", "two", "three"] {
      _ = try logs.append(
        .from(.ada, text, lifetimeMs: 60_000, to: text == "two" ? [.grace] : [], key: text),
        to: .planning, at: start + 1)
    }
    _ = try logs.append(.from(.ada, "live"), to: .planning, at: start + 2)
    store()
    let before = try #require(logs.all[.planning])
    logs = MessageLogs(rules: logs.rules, restoring: disk.stored, at: start + 3)
    let after = try #require(logs.all[.planning])
    #expect(after.state == before.state)
    #expect(after.messages == before.messages)
    #expect(after.sessions == before.sessions)
    #expect(after.texts(for: Person.grace.reader()) == ["one", "two", "three", "live"])
    #expect(after.texts(for: Person.edsger.reader()) == ["three"])
    #expect(after.texts(for: Person.grace.reader(1)) == ["two", "three"])
    let again = try logs.append(.from(.ada, "two", key: "two"), to: .planning, at: start + 4)
    #expect(again == .repeated(after.places[1]))
    let next = try logs.append(.from(.ada, "five"), to: .planning, at: start)
    #expect(next.sequence == 5)
    store()
    #expect(disk.stored.logs[.planning]?.messages.map(\.acceptedAtMs).last == start + 2)
  }

  @Test func `a log remembers only the newest sessions up to its limit`() throws {
    var log = MessageLog.with(.ada, rules: MessagingRules(maxSessions: 2))
    try log.send(.ada)
    for person in [Person.grace, .edsger] {
      log.join(person.session(), as: person.participant, at: start)
    }
    #expect(Set(log.sessions.keys) == [Person.grace.session(), Person.edsger.session()])
    let change = log.takeChange()
    #expect(change?.left == [Person.ada.session()])
  }

  @Test func `pruning keeps only messages that late joiners can get`() throws {
    var log = MessageLog.with(.ada)
    try log.send(.ada, "live")
    try log.send(.ada, "kept", lifetimeMs: 300_000)
    try log.send(.ada, "short", lifetimeMs: 1_000)
    log.prune(at: start + 179_999)
    #expect(log.messages.count == 3)
    log.prune(at: start + 180_000)
    #expect(log.messages.map(\.text) == ["kept"])
    #expect(log.state.lostThrough == 1)
    log.prune(at: start + 300_000)
    #expect(log.messages.isEmpty)
    #expect(log.keptCount == 0)
    let change = log.takeChange()
    #expect(change?.pruned == [1, 3, 2])
    #expect(log.state.lostThrough == 1)
    #expect(log.state.lastSequence == 3)
  }
}
