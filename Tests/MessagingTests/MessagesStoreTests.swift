import Foundation
import GRDB
import MeetingModel
import OwnerTestSupport
import PostgreSQL
import TestSupport
import Testing

@testable import Messaging
@testable import Storage

@Suite(.timeLimit(.minutes(5))) struct MessagesStoreTests {
  /// Opens new stores: one in a new directory, and one in a new PostgreSQL database.
  private func withStores(
    _ body: (_ store: MessagesStore, _ location: StoreLocation) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      try await body(try MessagesStore(in: .directory(directory)), .directory(directory))
    }
    let address = try PostgresAddress(try await PostgresServer.shared().makeDatabase())
    try await body(try MessagesStore(in: .postgresql(address)), .postgresql(address))
  }

  /// Opens a new store in a new directory.
  private func withFile(
    _ body: (_ store: MessagesStore, _ pool: DatabasePool, _ path: String) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/messages.sqlite"
      let store = try MessagesStore(path: path)
      let engine = try #require(store.engine as? SQLiteEngine)
      try await body(store, engine.pool, path)
    }
  }

  private func message(_ sequence: UInt64, _ data: [UInt8] = [1]) -> StoredMessage {
    StoredMessage(
      sequence: sequence, acceptedAtMs: start + sequence, lifetimeMs: 5, topic: "chat", data: data,
      sender: Person.ada.identity)
  }

  /// Returns a change that appends messages after `previous`.
  private func change(
    after previous: UInt64 = 0, _ messages: [StoredMessage], epoch: UInt64 = 7
  ) -> LogChange {
    var state = StoredLogState(epoch: epoch, touchedAtMs: start)
    state.lastSequence = previous + UInt64(messages.count)
    state.lastAcceptedAtMs = messages.last?.acceptedAtMs ?? 0
    var change = LogChange(previousSequence: previous, state: state)
    change.appended = messages
    return change
  }

  private func batch(_ change: LogChange, of meeting: MeetingID = .planning) -> MessagesBatch {
    var batch = MessagesBatch()
    batch.changes[meeting] = change
    return batch
  }

  @Test func `a reopened store contains all committed data`() async throws {
    try await withStores { store, location in
      let all = [
        message(1, (0...255).map { UInt8($0) }), message(2, []),
        StoredMessage(
          sequence: 3, acceptedAtMs: start, lifetimeMs: 0, topic: "carillon:notice",
          data: [0xFF, 0, 0xC3], sender: nil),
        StoredMessage(
          sequence: 4, acceptedAtMs: start, lifetimeMs: .max, topic: "x", data: [0],
          sender: Person.grace.content.identity,
          recipients: [Person.ada.attendee, Person.edsger.attendee], idempotencyKey: "k ' ; --"),
        StoredMessage(
          sequence: 5, acceptedAtMs: start, lifetimeMs: 1, topic: "x", data: [0],
          sender: ParticipantIdentity(
            id: Person.ada.participant, externalUserID: try ExternalUserID("guest-1"),
            displayName: try DisplayName("花子 \u{2067}עדה\u{2069} 👨‍👩‍👧‍👦"))),
        message(6),
      ]
      var change = change(all)
      (change.state.keptAfter, change.state.lostThrough) = (2, 1)
      change.joined = [
        StoredLogReader(
          id: Person.ada.session(), participant: Person.ada.participant, presentAfter: 3),
        StoredLogReader(
          id: Person.grace.session(), participant: Person.grace.content.participant,
          presentAfter: 0),
      ]
      var batch = batch(change)
      batch.changes[.review] = self.change([message(1)], epoch: 8)
      batch.ended[.numbered(9)] = start
      try await store.commit(batch)
      let stored = try await MessagesStore(in: location).load()
      let planning = try #require(stored.logs[.planning])
      #expect(planning.state == change.state)
      #expect(planning.messages == all)
      #expect(Set(planning.sessions) == Set(change.joined))
      #expect(stored.logs[.review]?.messages == [message(1)])
      #expect(stored.endings == [.numbered(9): start])
      #expect(try await store.load() == stored)
    }
  }

  @Test func `the database is private and syncs each commit to the disk`() async throws {
    try await withFile { store, pool, path in
      let settings = try await pool.writeWithoutTransaction { database in
        [
          try String.fetchOne(database, sql: "PRAGMA journal_mode"),
          try String.fetchOne(database, sql: "PRAGMA synchronous"),
        ]
      }
      #expect(settings == ["wal", "2"])
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect((mode as? NSNumber)?.int32Value == 0o600)
    }
  }

  @Test func `a commit deletes pruned messages, ended sessions and forgotten logs`() async throws {
    try await withStores { store, _ in
      var first = change((1...6).map { message($0) })
      first.joined = [
        StoredLogReader(
          id: Person.ada.session(), participant: Person.ada.participant, presentAfter: 0)
      ]
      var both = batch(first)
      both.changes[.review] = change([message(1)])
      try await store.commit(both)
      var second = change(after: 6, [message(7)])
      second.pruned = [1, 2, 4, 6]
      second.left = [Person.ada.session(), Person.grace.session()]
      try await store.commit(batch(second))
      let log = try #require(try await store.load().logs[.planning])
      #expect(log.messages.map(\.sequence) == [3, 5, 7])
      #expect(log.sessions == [])

      var last = MessagesBatch()
      last.ended[.planning] = start
      last.forgotten = [.numbered(9)]
      try await store.commit(last)
      #expect(try await store.load().logs.keys.map(\.self) == [.review])
      last = MessagesBatch()
      last.forgotten = [.planning, .review]
      try await store.commit(last)
      #expect(try await store.load() == StoredLogs())
      let rows = try await store.engine.read { database in
        try ["log", "message", "session", "ended_log"].map {
          try database.count("SELECT COUNT(*) FROM \($0)", [])
        }
      }
      #expect(rows == [0, 0, 0, 0])
    }
  }

  private func claim(
    _ meeting: MeetingID = .planning, in store: MessagesStore, idleSince: UInt64 = 0
  ) async throws -> StoredLog? {
    let beginning = StoredLogState(epoch: 7, touchedAtMs: start)
    let claimed = try await store.claim([meeting: beginning], idleSince: idleSince)
    guard case .held(let log) = claimed[meeting] else { return nil }
    return log
  }

  @Test func `the store refuses messages of a log's former owner after a new claim`()
    async throws
  {
    try await withStores { former, location in
      let held = try #require(try await claim(in: former))
      #expect(held.state.term == 1)
      var first = change([message(1)])
      first.state.term = 1
      #expect(try await former.commit(batch(first)).isEmpty)
      // The second store acts as the store of another process.
      let store = try MessagesStore(in: location)
      let taken = try #require(try await claim(in: store))
      #expect(taken.state.term == 2)
      #expect(taken.messages == [message(1)])
      var late = change(after: 1, [message(2)])
      late.state.term = 1
      var others = batch(late)
      others.changes[.review] = change([message(1)])
      let refused = try await former.commit(others)
      #expect(refused.map(\.meeting) == [.planning])
      #expect(refused.first?.found?.state.term == 2)
      var next = change(after: 1, [message(2, [9])])
      next.state.term = 2
      #expect(try await store.commit(batch(next)).isEmpty)
      let stored = try await store.load()
      #expect(stored.logs[.planning]?.messages == [message(1), message(2, [9])])
      #expect(stored.logs[.review]?.messages == [message(1)])
    }
  }

  @Test func `an ended meeting's log can be neither claimed nor restored by a delayed append`()
    async throws
  {
    try await withStores { store, _ in
      _ = try await claim(in: store)
      var end = MessagesBatch()
      end.ended[.planning] = start
      try await store.commit(end)
      var late = change([message(1)])
      late.state.term = 1
      #expect(try await store.commit(batch(late)).map(\.meeting) == [.planning])
      #expect(try await claim(in: store) == nil)
      let (endings, last) = try await store.begin()
      #expect(endings == [.planning: start])
      #expect(last == 0)
    }
  }

  @Test func `the claim of a log deletes logs that have been idle for too long`() async throws {
    try await withStores { store, _ in
      _ = try await claim(in: store)
      #expect(try await store.begin().last == start)
      _ = try await claim(.review, in: store, idleSince: start - 1)
      #expect(try await store.load().logs.count == 2)
      _ = try await claim(.numbered(9), in: store, idleSince: start)
      #expect(try await store.load().logs.keys.map { $0 } == [.numbered(9)])
    }
  }

  @Test(arguments: [(1, 7), (3, 7), (2, 8), (0, 7)] as [(UInt64, UInt64)])
  func `a log that another writer has changed is refused, and the other logs are stored`(
    previous: UInt64, epoch: UInt64
  ) async throws {
    try await withStores { store, _ in
      try await store.commit(batch(change([message(1), message(2)])))
      let before = try await store.load().logs[.planning]
      var batch = batch(change(after: previous, [message(previous + 1)], epoch: epoch))
      batch.changes[.review] = change([message(1)])
      let refused = try await store.commit(batch)
      #expect(refused.map(\.meeting) == [.planning])
      #expect(refused.first?.found == before)
      let stored = try await store.load()
      #expect(stored.logs[.planning] == before)
      #expect(stored.logs[.review]?.messages == [message(1)])
    }
  }

  @Test func `a log with unexpected messages is refused, and the other logs are stored`()
    async throws
  {
    try await withStores { store, _ in
      try await store.commit(batch(change([message(1), message(2)])))
      try await store.engine.write { try $0.run("UPDATE log SET last_sequence = 1", []) }
      var batch = batch(change(after: 1, [message(2, [9])]))
      batch.changes[.review] = change([message(1)])
      batch.ended[.numbered(9)] = start
      let refused = try await store.commit(batch)
      #expect(refused.map(\.meeting) == [.planning])
      let stored = try await store.load()
      #expect(stored.logs[.planning]?.messages == [message(1), message(2)])
      #expect(stored.logs[.review]?.messages == [message(1)])
      #expect(stored.endings == [.numbered(9): start])
    }
  }

  @Test func `of two competing owners, only one gets the acknowledgement for each sequence`()
    async throws
  {
    try await withStores { store, location in
      let other = try MessagesStore(in: location)
      // Each store claims the log again and again, and appends with the state from its own last
      // claim.
      let acknowledged = try await withThrowingTaskGroup(of: [UInt64: UInt8].self) { tasks in
        for (byte, store) in [(UInt8(1), store), (2, other)] {
          tasks.addTask {
            var mine: [UInt64: UInt8] = [:]
            var held: StoredLog?
            for round in 0..<60 {
              if held == nil || round % 7 == 0 {
                let new = StoredLogState(epoch: 7, touchedAtMs: start)
                let claimed = try await store.claim([.planning: new], idleSince: 0)
                guard case .held(let log) = claimed[.planning] else { continue }
                held = log
              }
              guard var state = held?.state else { continue }
              let next = state.lastSequence + 1
              var change = LogChange(previousSequence: state.lastSequence, state: state)
              change.appended = [message(next, [byte])]
              (change.state.lastSequence, change.state.lastAcceptedAtMs) = (next, start + next)
              state = change.state
              let refused = try await store.commit(batch(change))
              held?.state = state
              if refused.isEmpty { mine[next] = byte } else { held = nil }
            }
            return mine
          }
        }
        return try await tasks.reduce(into: []) { $0.append($1) }
      }
      let places = acknowledged.flatMap(\.keys)
      #expect(Set(places).count == places.count)
      let log = try #require(try await store.load().logs[.planning])
      #expect(log.messages.map(\.sequence) == Array(1...UInt64(places.count)))
      for each in acknowledged {
        for (place, byte) in each { #expect(log.messages[Int(place) - 1].data == [byte]) }
      }
      #expect(acknowledged.allSatisfy { !$0.isEmpty })
    }
  }

  @Test func `three messages of 2048 bytes fit into one database page`() async throws {
    try await withFile { store, pool, _ in
      let messages = (1...300).map { message($0, [UInt8](repeating: 1, count: 2_048)) }
      try await store.commit(batch(change(messages)))
      let pages = try await pool.read { try Int.fetchOne($0, sql: "PRAGMA page_count") }
      #expect(try #require(pages) < 120)
    }
  }

  @Test func `a batch is committed even if its task is cancelled`() async throws {
    try await withStores { store, _ in
      let batch = batch(change([message(1)]))
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await store.commit(batch)
      }
      try await task.value
      #expect(try await store.load().logs[.planning]?.messages.count == 1)
    }
  }

  @Test func `a commit fails while another process locks the file, and a later commit succeeds`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = directory + "/messages.sqlite"
      let store = try MessagesStore(path: path, busyTimeout: .milliseconds(50))
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: path, configuration: configuration)
      try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let error = await #expect(throws: StorageError.self) {
        try await store.commit(batch(change([message(1)])))
      }
      #expect(error?.status.code == .unavailable)
      await #expect(throws: StorageError.self) { try await store.check() }
      try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try await store.check()
      try await store.commit(batch(change([message(1)])))
    }
  }

  @Test(arguments: [
    "UPDATE log SET meeting_id = 'nonsense'", "UPDATE log SET last_sequence = -1",
    "UPDATE message SET lifetime = -1", "UPDATE message SET lifetime = 4294967296",
    "UPDATE message SET accepted_at = -5", "UPDATE message SET sender_id = 'nobody'",
    "UPDATE message SET sender_external_id = NULL", "UPDATE message SET recipients = 'a,b'",
    "UPDATE session SET id = x'00'", "UPDATE session SET participant_id = ''",
    "INSERT INTO ended_log VALUES ('nonsense', 0)",
  ])
  func `an invalid stored value causes a data loss error, not a crash`(damage: String) async throws
  {
    try await withFile { store, pool, _ in
      var change = change([message(1)])
      change.joined = [
        StoredLogReader(
          id: Person.ada.session(), participant: Person.ada.participant, presentAfter: 0)
      ]
      try await store.commit(batch(change))
      try await pool.write { try $0.execute(sql: damage) }
      let error = await #expect(throws: StorageError.self) { try await store.load() }
      #expect(error?.status.code == .dataLoss)
    }
  }
}
