import Foundation
import GRDB
import MeetingModel
import Testing

@testable import Storage

@Suite struct DatabaseFileTests {
  private func withFileStore(
    _ body: (MeetingStore, DatabasePool) async throws -> Void
  ) async throws {
    try await withFiles { fixture in
      let engine = try SQLiteEngine(fixture.database, migratedBy: MeetingsSchema.migrator)
      let store = try MeetingStore(
        in: engine, tokens: fixture.tokens(), limits: InstallationLimits())
      try await body(store, engine.pool)
    }
  }

  @Test func `stored data is available after a restart`() async throws {
    try await withFiles { fixture in
      var store: MeetingStore? = try fixture.open()
      let meeting = try #require(try await store?.makeMeeting())
      let ada = try await store?.makeAttendee("ada", in: meeting)
      store = nil
      #expect(try await fixture.open().listAttendees(in: meeting, limit: 9).elements == [ada])
    }
  }

  @Test func `a restore starts a new event epoch, and a restart keeps the epoch`()
    async throws
  {
    try await withFiles { fixture in
      var store: MeetingStore? = try fixture.open()
      let epoch = try #require(try await store?.eventEpoch())
      store = nil
      #expect(try await fixture.open().eventEpoch() == epoch)
      try await withFiles { restored in
        for suffix in ["", "-wal"]
        where FileManager.default.fileExists(atPath: fixture.database + suffix) {
          try FileManager.default.copyItem(
            atPath: fixture.database + suffix, toPath: restored.database + suffix)
        }
        let later = try await restored.open().eventEpoch()
        #expect(later > epoch)
        #expect(try await restored.open().eventEpoch() == later)
      }
    }
  }

  @Test func `only the owner can read the database and its companion files`() async throws {
    try await withFiles { fixture in
      let store = try fixture.open()
      _ = try await store.makeMeeting()
      for suffix in ["", "-wal", "-shm"] {
        #expect(try fixture.mode(of: fixture.database + suffix) == 0o600)
      }
    }
  }

  @Test func `a commit is on disk before the reply, and foreign keys are enforced`()
    async throws
  {
    try await withFileStore { store, pool in
      let settings = try await pool.writeWithoutTransaction { database in
        [
          try String.fetchOne(database, sql: "PRAGMA journal_mode"),
          try String.fetchOne(database, sql: "PRAGMA synchronous"),
          try String.fetchOne(database, sql: "PRAGMA foreign_keys"),
        ]
      }
      #expect(settings == ["wal", "2", "1"])
    }
  }

  @Test(arguments: ["deleted", "replaced", "truncated", "log deleted"])
  func `the loss of a database file in use is detected`(how: String) async throws {
    try await withFiles { fixture in
      let store = try fixture.open()
      let meeting = try await store.makeMeeting()
      try await store.check()
      let (files, path) = (FileManager.default, fixture.database)
      switch how {
      case "deleted": try files.removeItem(atPath: path)
      case "replaced":
        try files.removeItem(atPath: path)
        try Data(count: 65_536).write(to: URL(filePath: path))
      case "truncated": try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 100)
      default: try files.removeItem(atPath: path + "-wal")
      }
      for _ in 0..<2 {
        let refused = await #expect(throws: StorageError.self) {
          try await store.makeAttendee("ada", in: meeting)
        }
        #expect(refused?.status.code == .unavailable)
        let unready = await #expect(throws: StorageError.self) { try await store.check() }
        #expect(unready?.status.code == .unavailable)
      }
    }
  }

  @Test func `a file that shrank after an erasure passes the check`() async throws {
    try await withFiles { fixture in
      let (one, other) = (try engine(fixture), try engine(fixture))
      try await one.write { try $0.run("CREATE TABLE big (bytes BLOB)", []) }
      try await one.write { try $0.run("INSERT INTO big VALUES (randomblob(1000000))", []) }
      _ = try await one.pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
      try await other.check()
      try await one.write { try $0.run("DELETE FROM big", []) }
      try await one.scrub(["big"])
      for engine in [one, other] {
        try await engine.write { try $0.run("INSERT INTO big VALUES (randomblob(9))", []) }
        try await engine.check()
      }
      try FileHandle(forWritingTo: URL(filePath: fixture.database)).truncate(atOffset: 4_096)
      for engine in [one, other] {
        let lost = await #expect(throws: StorageError.self) { try await engine.check() }
        #expect(lost?.status.code == .unavailable)
      }
    }
  }

  @Test func `a file that grows during concurrent checks passes every check`() async throws {
    try await withFiles { fixture in
      let file = fixture.database
      let engine = try engine(fixture)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask { while !Task.isCancelled { try engine.checkPlace() } }
        }
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try handle.seekToEnd()
        for _ in 0..<20_000 { try handle.write(contentsOf: Data(count: 512)) }
        group.cancelAll()
        try await group.waitForAll()
      }
    }
  }

  private func engine(_ fixture: StoreFixture) throws -> SQLiteEngine {
    try SQLiteEngine(fixture.database, migratedBy: MeetingsSchema.migrator)
  }

  @Test func `writes wait a limited time for another process, and reads do not wait`()
    async throws
  {
    try await withFiles { fixture in
      let engine = try SQLiteEngine(
        fixture.database, migratedBy: MeetingsSchema.migrator, busyTimeout: .milliseconds(50))
      let store = try MeetingStore(
        in: engine, tokens: fixture.tokens(), limits: InstallationLimits())
      let meeting = try await store.makeMeeting()
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: fixture.database, configuration: configuration)
      try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let error = await #expect(throws: StorageError.self) {
        try await store.makeAttendee("ada", in: meeting)
      }
      #expect(error?.status.code == .unavailable)
      #expect(try await store.names(in: meeting).isEmpty)
      try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      _ = try await store.makeAttendee("ada", in: meeting)
    }
  }

  @Test func `a database of a newer version is refused and not changed`() async throws {
    try await withFiles { fixture in
      let store = try fixture.open()
      try await store.write { database in
        try database.run("INSERT INTO grdb_migrations VALUES ('2 what comes later')", [])
      }
      let error = #expect(throws: StorageError.self) { try fixture.open() }
      #expect(error == .newerSchema(path: fixture.database))
      #expect(error?.status.code == .failedPrecondition)
    }
  }

  @Test func `a file that is not a database is reported as damaged`() async throws {
    try await withFiles { fixture in
      let garbage = Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
      try garbage.write(to: URL(filePath: fixture.database))
      let error = #expect(throws: StorageError.self) { try fixture.open() }
      #expect(error?.status.code == .dataLoss)
      #expect(try Data(contentsOf: URL(filePath: fixture.database)) == garbage)
    }
  }

  @Test func `a database in a missing directory is unavailable`() async throws {
    try await withFiles { fixture in
      let path = fixture.directory.path + "/missing/meetings.sqlite"
      let tokens = try fixture.tokens()
      let failure = #expect(throws: StorageError.self) {
        try MeetingStore(path: path, tokens: tokens)
      }
      let error = try #require(failure)
      #expect(error.status.code == .unavailable)
      #expect(error.description.contains("No such file or directory"))
      #expect(!error.status.message.contains(path))
    }
  }

  @Test(arguments: [
    "UPDATE meeting SET id = 'nonsense'", "UPDATE meeting SET video = 'UHD'",
    "UPDATE meeting SET max_attendees = 0", "UPDATE meeting SET external_id = 'a;b'",
    "UPDATE meeting SET primary_id = 'nonsense'",
    "INSERT INTO meeting_tag SELECT id, 'a b', '' FROM meeting",
    "INSERT INTO meeting_tenant SELECT id, 0, '' FROM meeting",
  ])
  func `an invalid value in a meeting is reported as damage without a crash`(damage: String)
    async throws
  {
    try await withFileStore { store, pool in
      _ = try await store.makeMeeting()
      try await pool.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA foreign_keys = OFF")
        try database.execute(sql: damage)
      }
      let error = await #expect(throws: StorageError.self) {
        try await store.listMeetings(limit: 1)
      }
      #expect(error?.status.code == .dataLoss)
    }
  }

  @Test(arguments: [
    "UPDATE attendee SET audio = 'sendreceive'", "UPDATE attendee SET video = 'None'",
    "UPDATE attendee SET id = 'nonsense'", "UPDATE attendee SET external_user_id = 'x'",
  ])
  func `an invalid value in an attendee is reported as damage without a crash`(damage: String)
    async throws
  {
    try await withFileStore { store, pool in
      let meeting = try await store.makeMeeting()
      _ = try await store.makeAttendee("ada", in: meeting)
      try await pool.write { try $0.execute(sql: damage) }
      let error = await #expect(throws: StorageError.self) {
        try await store.listAttendees(in: meeting, limit: 1)
      }
      #expect(error?.status.code == .dataLoss)
    }
  }

  @Test func `a cancelled call throws an error and changes nothing`() async throws {
    try await withFileStore { store, pool in
      let call = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await store.makeMeeting()
      }
      let result = await call.result
      #expect(throws: StorageError.cancelled) { try result.get() }
      let meetings = try await store.listMeetings(limit: 1).elements
      #expect(meetings.isEmpty)
    }
  }

  @Test func `the logged text of a failure contains no names`() {
    let cause = DatabaseError(
      resultCode: .SQLITE_CONSTRAINT, message: "UNIQUE constraint failed", sql: "SELECT ?",
      arguments: ["ada lovelace"])
    let error = StorageError(cause, at: "meetings.sqlite")
    #expect(error.status.code == .internalError)
    #expect(
      error.status.message == "The store failed on an internal error; see the log of the service.")
    #expect("\(error)".contains("UNIQUE constraint failed"))
    #expect(!"\(error)".contains("ada"))
  }
}
