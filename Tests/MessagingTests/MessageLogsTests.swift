import MeetingModel
import OwnerTestSupport
import Testing

@testable import Messaging
@testable import Storage

@Suite struct MessageLogsTests {
  private var logs = MessageLogs(rules: MessagingRules(), at: start)
  private var disk = FakeDisk()

  private mutating func store() throws {
    guard let batch = logs.takeBatch() else { return }
    let isApplied = disk.apply(batch)
    try #require(isApplied)
    logs.confirm(at: start)
  }

  private mutating func join(_ person: Person, _ meeting: MeetingID, at now: UInt64 = start) throws
  {
    try logs.join(person.session(), as: person.participant, in: meeting, at: now)
  }

  @Test mutating func `each meeting has its own log and numbering`() throws {
    try join(.ada, .planning)
    try join(.ada, .review)
    #expect(try logs.append(.from(.ada), to: .planning, at: start).sequence == 1)
    #expect(try logs.append(.from(.ada), to: .review, at: start).sequence == 1)
    #expect(logs.epoch(of: .planning) != logs.epoch(of: .review))
    // One batch contains the changes of all logs.
    let taken = logs.takeBatch()
    let batch = try #require(taken)
    #expect(Set(batch.changes.keys) == [.planning, .review])
    #expect(!logs.hasChange)
  }

  @Test
  mutating func
    `a log keeps its epoch after a restart only if the log was restored from the store`()
    throws
  {
    try join(.ada, .planning)
    let epoch = try #require(logs.epoch(of: .planning))
    #expect(!logs.isStored(.planning))
    try store()
    #expect(logs.isStored(.planning))
    logs = MessageLogs(rules: logs.rules, restoring: disk.stored, at: start + 5)
    #expect(logs.epoch(of: .planning) == epoch)
    try logs.open(.review, at: 0)
    #expect(logs.epoch(of: .review).map { $0 > epoch } == true)
    logs = MessageLogs(rules: logs.rules, at: start + 5)
    try join(.ada, .planning, at: start + 5)
    #expect(logs.epoch(of: .planning) != epoch)
  }

  @Test mutating func `an ended meeting's log is deleted and cannot be opened again`() throws {
    try join(.ada, .planning)
    _ = try logs.append(.from(.ada), to: .planning, at: start)
    logs.end(.planning, at: start)
    logs.end(.planning, at: start + 1)
    #expect(throws: MessagingError.meetingEnded) {
      try logs.append(.from(.ada), to: .planning, at: start)
    }
    #expect(throws: MessagingError.meetingEnded) { try join(.ada, .planning) }
    #expect(throws: MessagingError.meetingEnded) { try logs.open(.planning, at: start) }
    logs.leave(Person.ada.session(), in: .planning)
    try store()
    #expect(disk.stored == StoredLogs(endings: [.planning: start]))
    logs = MessageLogs(rules: logs.rules, restoring: disk.stored, at: start + 5)
    #expect(throws: MessagingError.meetingEnded) { try join(.ada, .planning) }
    logs.prune(at: start + 3_600_000)
    try store()
    #expect(disk.stored == StoredLogs())
    try join(.ada, .planning, at: start + 3_600_000)
  }

  @Test mutating func `a meeting can end while its messages are being stored`() throws {
    try join(.ada, .planning)
    let batch = logs.takeBatch()
    _ = try logs.append(.from(.ada), to: .planning, at: start)
    logs.end(.planning, at: start)
    let isApplied = try disk.apply(#require(batch))
    #expect(isApplied)
    logs.confirm(at: start)
    try store()
    #expect(disk.stored.logs.isEmpty)
    #expect(!logs.hasChange)
  }

  @Test
  mutating func `after a refusal, the sender's other messages of the same round are refused`()
    throws
  {
    try join(.ada, .planning)
    try join(.grace, .planning)
    try store()
    logs.noteRefusal(in: try MessageDraft.from(.ada, "first", round: 7).sendingRound, to: .planning)
    for round in [6, 7] as [UInt64] {
      #expect(throws: MessagingError.overtaking) {
        try logs.append(.from(.ada, "second", round: round), to: .planning, at: start)
      }
    }
    #expect(try logs.append(.from(.grace), to: .planning, at: start).sequence == 1)
    #expect(try logs.append(.from(.ada, "first", round: 8), to: .planning, at: start).sequence == 2)
    #expect(
      try logs.append(.from(.ada, "second", round: 8), to: .planning, at: start).sequence == 3)
  }

  @Test mutating func `if the store refuses a log, the log continues from the stored state`() throws
  {
    try join(.ada, .planning)
    try join(.ada, .review)
    try store()
    let epoch = try #require(logs.epoch(of: .planning))
    _ = try logs.append(.from(.ada, "void"), to: .planning, at: start)
    _ = try logs.append(.from(.ada, "kept"), to: .review, at: start)
    _ = logs.takeBatch()
    _ = try logs.append(.from(.ada, "void, too"), to: .planning, at: start)
    var found = StoredLog(state: StoredLogState(epoch: epoch, touchedAtMs: start))
    found.state.lastSequence = 5
    let refused = RejectedLogChange(meeting: .planning, cause: "A test.", found: found)
    logs.confirm(refusing: [refused], at: start)
    #expect(logs.all[.planning]?.storedSequence == 5)
    #expect(logs.all[.review]?.storedSequence == 1)
    #expect(!logs.hasChange)
    // The store no longer knows Ada's session.
    #expect(throws: MessagingError.unknownSession) {
      try logs.append(.from(.ada), to: .planning, at: start)
    }
    try join(.ada, .planning)
    #expect(try logs.append(.from(.ada), to: .planning, at: start).sequence == 6)
  }

  @Test mutating func `if the store lacks a log, the log restarts in a new epoch`() throws {
    try join(.ada, .planning)
    try store()
    let epoch = try #require(logs.epoch(of: .planning))
    _ = try logs.append(.from(.ada, "void"), to: .planning, at: start)
    _ = logs.takeBatch()
    logs.confirm(refusing: [RejectedLogChange(meeting: .planning, cause: "A test.")], at: start)
    #expect(logs.epoch(of: .planning) == nil)
    try join(.ada, .planning)
    #expect(logs.epoch(of: .planning).map { $0 > epoch } == true)
  }

  @Test mutating func `an unused log is deleted after a day`() throws {
    try join(.ada, .planning)
    try store()
    logs.prune(at: start + 86_399_999)
    #expect(logs.epoch(of: .planning) != nil)
    logs.prune(at: start + 86_400_000)
    #expect(logs.epoch(of: .planning) == nil)
    try store()
    #expect(disk.stored == StoredLogs())
  }

  @Test mutating func `a failed write discards all changes that are not stored`() throws {
    try join(.ada, .planning)
    try store()
    _ = try logs.append(.from(.ada, "first"), to: .planning, at: start)
    _ = logs.takeBatch()
    _ = try logs.append(.from(.ada, "second"), to: .planning, at: start)
    try join(.grace, .review)
    logs.end(.numbered(9), at: start)
    logs.rollBack()
    #expect(throws: MessagingError.unknownSession) {
      try logs.append(.from(.grace), to: .review, at: start)
    }
    #expect(try logs.append(.from(.ada, "third"), to: .planning, at: start).sequence == 1)
    try store()
    #expect(disk.stored.logs[.planning]?.messages.map(\.text) == ["third"])
    // The batch after the rollback contains the deletion and the new log again.
    #expect(disk.stored.endings == [.numbered(9): start])
    #expect(disk.stored.logs[.review] != nil)
  }

  @Test mutating func `a client cannot send to a meeting without sessions, but a service can`()
    throws
  {
    #expect(throws: MessagingError.unknownSession) {
      try logs.append(.from(.ada), to: .planning, at: start)
    }
    #expect(logs.epoch(of: .planning) == nil)
    let notice = try MessageDraft(
      from: .service(nil), topic: "carillon:notice", data: [], lifetimeMs: 0, rules: logs.rules)
    #expect(try logs.append(notice, to: .planning, at: start).sequence == 1)
  }

  @Test func `a batch cannot be taken before the previous batch is confirmed`() async {
    await #expect(processExitsWith: .failure) {
      var logs = MessageLogs(rules: MessagingRules(), at: start)
      try logs.open(.planning, at: start)
      _ = logs.takeBatch()
      _ = logs.takeBatch()
    }
  }
}
