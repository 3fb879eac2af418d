import Dispatch
import GRDB
import Synchronization
import Testing

@testable import Storage

@Suite(.timeLimit(.minutes(5))) struct GroupCommitTests {
  private struct Refused: Error, Hashable {}

  /// An engine that counts the checks of its file, and reports the file as lost after a maximum
  /// number of checks.
  private final class CountingEngine: StoreEngine {
    let file: SQLiteEngine
    let count = Mutex(0)
    let most: Int

    init(_ file: SQLiteEngine, failingAfter most: Int) { (self.file, self.most) = (file, most) }

    var place: String { file.place }

    func read<Value: Sendable>(
      _ body: @escaping @Sendable (Storage.Database) throws -> Value
    ) async throws -> Value { try await file.read(body) }

    func enqueue(_ turn: @escaping @Sendable (any TransactionRunner) -> Void) { file.enqueue(turn) }

    func checkPlace() throws {
      let count = count.withLock { count in
        count += 1
        return count
      }
      if count > most { throw Refused() }
    }

    func check() async throws { try await file.check() }
    func scrub(_ tables: [String]) async throws { try await file.scrub(tables) }
  }

  private final class Fixture: Sendable {
    let engine: CountingEngine
    let commits: GroupCommit

    init(_ file: SQLiteEngine, failingAfter most: Int = .max) {
      engine = CountingEngine(file, failingAfter: most)
      commits = GroupCommit(in: engine)
    }

    func count() -> Int { engine.count.withLock { $0 } }

    func numbers() async throws -> [Int] {
      try await engine.read { database in
        try database.rows("SELECT n FROM kept ORDER BY n", []).map { Int(try $0.number("n")) }
      }
    }

    func insert(_ number: Int) async throws {
      try await commits.write { try $0.run("INSERT INTO kept VALUES (?)", [number]) }
    }

    /// Performs all writes while the test blocks the writer, so that the writes wait together.
    func together(
      _ writes: [@Sendable (Fixture) async throws -> Void]
    ) async -> [Result<Void, any Error>] {
      let released = DispatchSemaphore(value: 0)
      engine.enqueue { _ in released.wait() }
      return await withTaskGroup(of: (Int, Result<Void, any Error>).self) { tasks in
        for (place, write) in writes.enumerated() {
          tasks.addTask {
            do { return (place, .success(try await write(self))) } catch {
              return (place, .failure(error))
            }
          }
        }
        while commits.depth < writes.count { await Task.yield() }
        released.signal()
        var found: [Int: Result<Void, any Error>] = [:]
        for await (place, result) in tasks { found[place] = result }
        return writes.indices.compactMap { found[$0] }
      }
    }
  }

  private func withCommits(
    failingAfter most: Int = .max, _ body: (Fixture) async throws -> Void
  ) async throws {
    try await withFiles { fixture in
      var migrator = DatabaseMigrator()
      migrator.registerMigration("1") {
        try $0.execute(sql: "CREATE TABLE kept (n INTEGER PRIMARY KEY)")
      }
      let file = try SQLiteEngine(fixture.database, migratedBy: migrator)
      try await body(Fixture(file, failingAfter: most))
    }
  }

  private func inserts(_ numbers: Range<Int>) -> [@Sendable (Fixture) async throws -> Void] {
    numbers.map { number in { fixture in try await fixture.insert(number) } }
  }

  @Test func `waiting writes are committed together`() async throws {
    try await withCommits { fixture in
      let results = await fixture.together(inserts(0..<20))
      for result in results { try result.get() }
      #expect(fixture.count() == 1)
      #expect(try await fixture.numbers() == Array(0..<20))
      try await fixture.insert(20)
      #expect(fixture.count() == 2)
      #expect(fixture.commits.depth == 0)
    }
  }

  @Test func `a commit has a limited number of writes, and later commits contain the rest`()
    async throws
  {
    try await withCommits { fixture in
      let results = await fixture.together(inserts(0..<150))
      for result in results { try result.get() }
      #expect(fixture.count() == 3)
      #expect(try await fixture.numbers() == Array(0..<150))
    }
  }

  @Test func `a failed write changes nothing and fails no other write`() async throws {
    try await withCommits { fixture in
      let failing: @Sendable (Fixture) async throws -> Void = { fixture in
        try await fixture.commits.write { database in
          try database.run("INSERT INTO kept VALUES (100)", [])
          throw Refused()
        }
      }
      let twice: @Sendable (Fixture) async throws -> Void = { try await $0.insert(0) }
      let results = await fixture.together(inserts(0..<3) + [failing] + inserts(3..<5) + [twice])
      #expect(fixture.count() == 1)
      #expect(try await fixture.numbers() == Array(0..<5))
      #expect(throws: Refused()) { try results[3].get() }
      // Two writes insert the same number, and the second of these writes fails.
      #expect([results[0], results[6]].filter { (try? $0.get()) == nil }.count == 1)
      for place in [1, 2, 4, 5] { try results[place].get() }
    }
  }

  @Test func `if a transaction is rolled back, all its writes fail`() async throws {
    try await withCommits { fixture in
      let ending: @Sendable (Fixture) async throws -> Void = { fixture in
        try await fixture.commits.write { database in
          // SQLite also rolls the transaction back when the disk is full.
          try database.run("ROLLBACK", [])
          throw Refused()
        }
      }
      let results = await fixture.together(inserts(0..<3) + [ending] + inserts(3..<6))
      for result in results { #expect(throws: Refused()) { try result.get() } }
      #expect(try await fixture.numbers().isEmpty)
      try await fixture.insert(7)
      #expect(try await fixture.numbers() == [7])
    }
  }

  @Test func `all writes of a commit fail if the check of the database file fails`() async throws {
    try await withCommits(failingAfter: 0) { fixture in
      let results = await fixture.together(inserts(0..<3))
      for result in results { #expect(throws: Refused()) { try result.get() } }
    }
  }

  @Test func `each caller gets the result of its own write`() async throws {
    try await withCommits { fixture in
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for number in 0..<100 {
          tasks.addTask {
            let found = try await fixture.commits.write { _ in "\(number)" }
            #expect(found == "\(number)")
          }
        }
        try await tasks.waitForAll()
      }
    }
  }
}
