import Dispatch
import GRDB
import Synchronization
import Testing

@testable import Storage

@Suite(.timeLimit(.minutes(1))) struct SharedCommitsTests {
  private struct Refused: Error, Hashable {}

  /// A file with one table, and how often something was committed to it.
  private final class Fixture: Sendable {
    let pool: DatabasePool
    let commits: SharedCommits
    let count: @Sendable () -> Int

    init(_ pool: DatabasePool, failingAfter most: Int = .max) {
      let counted = Counted()
      self.pool = pool
      count = { counted.value.withLock { $0 } }
      commits = SharedCommits(in: pool) {
        let count = counted.value.withLock { value in
          value += 1
          return value
        }
        if count > most { throw Refused() }
      }
    }

    final class Counted: Sendable { let value = Mutex(0) }

    func numbers() async throws -> [Int] {
      try await pool.read { try Int.fetchAll($0, sql: "SELECT n FROM kept ORDER BY n") }
    }

    func insert(_ number: Int) async throws {
      try await commits.write { try $0.execute(sql: "INSERT INTO kept VALUES (\(number))") }
    }

    /// Does all of it while the writer is held up, so that everything waits together.
    func together(
      _ writes: [@Sendable (Fixture) async throws -> Void]
    ) async -> [Result<Void, any Error>] {
      let released = DispatchSemaphore(value: 0)
      pool.asyncWriteWithoutTransaction { _ in released.wait() }
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
    try await withFixture { fixture in
      var migrator = DatabaseMigrator()
      migrator.registerMigration("1") {
        try $0.execute(sql: "CREATE TABLE kept (n INTEGER PRIMARY KEY)")
      }
      let pool = try DatabaseFile.open(
        fixture.database, migratedBy: migrator, busyTimeout: .seconds(5))
      try await body(Fixture(pool, failingAfter: most))
    }
  }

  private func inserts(_ numbers: Range<Int>) -> [@Sendable (Fixture) async throws -> Void] {
    numbers.map { number in { fixture in try await fixture.insert(number) } }
  }

  @Test func `what waits together is committed together`() async throws {
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

  @Test func `a commit has a most, and the others follow`() async throws {
    try await withCommits { fixture in
      let results = await fixture.together(inserts(0..<150))
      for result in results { try result.get() }
      #expect(fixture.count() == 3)
      #expect(try await fixture.numbers() == Array(0..<150))
    }
  }

  @Test func `who fails takes nobody along, and leaves nothing`() async throws {
    try await withCommits { fixture in
      let failing: @Sendable (Fixture) async throws -> Void = { fixture in
        try await fixture.commits.write { database in
          try database.execute(sql: "INSERT INTO kept VALUES (100)")
          throw Refused()
        }
      }
      let twice: @Sendable (Fixture) async throws -> Void = { try await $0.insert(0) }
      let results = await fixture.together(inserts(0..<3) + [failing] + inserts(3..<5) + [twice])
      #expect(fixture.count() == 1)
      #expect(try await fixture.numbers() == Array(0..<5))
      #expect(throws: Refused()) { try results[3].get() }
      // One of the two that insert the same number fails, whichever came second.
      #expect([results[0], results[6]].filter { (try? $0.get()) == nil }.count == 1)
      for place in [1, 2, 4, 5] { try results[place].get() }
    }
  }

  @Test func `a transaction that is given up fails all who shared it`() async throws {
    try await withCommits { fixture in
      let ending: @Sendable (Fixture) async throws -> Void = { fixture in
        try await fixture.commits.write { database in
          // As SQLite does by itself when the disk is full.
          try database.execute(sql: "ROLLBACK")
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

  @Test func `nobody is told that it is stored when the file is not what it was`() async throws {
    try await withCommits(failingAfter: 0) { fixture in
      let results = await fixture.together(inserts(0..<3))
      for result in results { #expect(throws: Refused()) { try result.get() } }
    }
  }

  @Test func `each caller gets its own answer`() async throws {
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
