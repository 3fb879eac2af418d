import Foundation
import MeetingModel
import PostgreSQL
import TestSupport
import Testing
import ZeroMQ

@testable import Storage

/// Tests of PostgreSQL alone. The other suites test both engines.
@Suite(.timeLimit(.minutes(5))) struct PostgresEngineTests {
  /// Runs a test with a server that the test may stop.
  private func withServer(
    _ body: (PostgresServer, StoreLocation, JoinTokenIssuer) async throws -> Void
  ) async throws {
    let thread = SocketThread(name: "postgresql")
    defer { thread.stop() }
    let directory = NSTemporaryDirectory() + "pg-" + UUID().uuidString.prefix(8)
    let server = try await PostgresServer(in: directory, on: thread)
    try await withFiles { fixture in
      let address = try PostgresAddress(try server.makeDatabase())
      try await body(server, .postgresql(address), try fixture.tokens())
    }
    try await server.remove()
  }

  @Test func `a crash of the server loses no data, and the next call reconnects`()
    async throws
  {
    try await withServer { server, location, tokens in
      let store = try MeetingStore(in: location, tokens: tokens)
      let meeting = try await store.makeMeeting()
      let ada = try await store.makeAttendee("ada", in: meeting)
      try await server.crash()
      let away = await #expect(throws: StorageError.self) { try await store.meeting(meeting) }
      #expect(away?.status.code == .unavailable)
      let refused = await #expect(throws: StorageError.self) {
        try await store.makeAttendee("bob", in: meeting)
      }
      #expect(refused?.status.code == .unavailable)
      let unready = await #expect(throws: StorageError.self) { try await store.check() }
      #expect(unready?.status.code == .unavailable)
      try await server.start()
      try await store.check()
      #expect(try await store.names(in: meeting) == ["ada"])
      let found = try await store.attendee(ada.attendee.id, in: meeting)
      #expect(found == ada)
    }
  }

  @Test func `a restart of an idle server causes no error`()
    async throws
  {
    try await withServer { server, location, tokens in
      let store = try MeetingStore(in: location, tokens: tokens)
      let meeting = try await store.makeMeeting()
      try await server.crash()
      try await server.start()
      _ = try await store.makeAttendee("ada", in: meeting)
      #expect(try await store.names(in: meeting) == ["ada"])
    }
  }

  @Test func `calls to a frozen server fail in time and succeed later`() async throws {
    try await withServer { server, location, tokens in
      let store = try MeetingStore(in: location, tokens: tokens)
      let meeting = try await store.makeMeeting()
      try server.freeze()
      let begin = ContinuousClock.now
      async let reading = Result.of { try await store.meeting(meeting) }
      let writing = await Result.of { try await store.makeAttendee("ada", in: meeting) }
      for case .failure(let error) in [await reading.map { _ in }, writing.map { _ in }] {
        #expect((error as? StorageError)?.status.code == .unavailable)
      }
      // Each call takes five seconds on an idle machine.
      #expect(ContinuousClock.now - begin < .seconds(30))
      try server.thaw()
      _ = try await store.makeAttendee("grace", in: meeting)
      // The server may still have committed a write whose caller got an error.
      #expect(Set(try await store.names(in: meeting)).subtracting(["ada"]) == ["grace"])
    }
  }

  @Test func `a read-only database can be opened, and a newer schema is refused`() async throws {
    let server = try await PostgresServer.shared()
    let text = try server.makeDatabase()
    let location = StoreLocation.postgresql(try PostgresAddress(text))
    try await withFiles { fixture in
      let tokens = try fixture.tokens()
      let store = try MeetingStore(in: location, tokens: tokens)
      _ = try await store.makeMeeting()
      let database = PostgresServer.name(ofDatabaseAt: text)
      try server.psql(
        "ALTER DATABASE \(database) SET default_transaction_read_only = on", in: database)
      let reading = try MeetingStore(in: location, tokens: tokens)
      // Each transaction declares that it writes. A standby server would reject such a transaction.
      try await reading.check()
      try server.psql(
        "BEGIN READ WRITE; UPDATE carillon_meetings.schema_version SET version = 99; COMMIT",
        in: database)
      let newer = #expect(throws: StorageError.self) {
        try MeetingStore(in: location, tokens: tokens)
      }
      #expect(newer?.status.code == .failedPrecondition)
    }
  }

  @Test func `a commit waits for the disk, whatever the settings of the server are`() async throws {
    let server = try await PostgresServer.shared()
    let text = try server.makeDatabase()
    let database = PostgresServer.name(ofDatabaseAt: text)
    for (setting, expected) in [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")] {
      try server.psql(
        "ALTER DATABASE \(database) SET synchronous_commit = \(setting)", in: database)
      let engine = try PostgresEngine(
        try PostgresAddress(text), .messages, writing: .writing)
      let found = try await engine.write { database in
        try database.row("SELECT current_setting('synchronous_commit') AS setting", [])?
          .text("setting")
      }
      #expect(found == expected)
    }
  }

  @Test func `a reader of numbered events misses no event during concurrent writes`() async throws {
    try await withFiles { _ in
      let address = try PostgresAddress(try await PostgresServer.shared().makeDatabase())
      let stores = try (0..<4).map { _ in try ClientEventsStore(in: .postgresql(address)) }
      let meeting = MeetingID.random()
      let reader = Task {
        // If the store did not assign numbers in the order of commits, this reader would skip some
        // numbers.
        var (seen, last): (Set<String>, Int64) = ([], 0)
        while seen.count < 400 {
          for event in try await stores[0].events(after: last, limit: 50) {
            seen.insert(event.event.id)
            last = event.number
          }
          try Task.checkCancellation()
        }
        return seen
      }
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for (writer, store) in stores.enumerated() {
          tasks.addTask {
            for number in 0..<100 {
              try await store.add([
                ReportedClientEvent(
                  meeting: meeting, attendee: .random(), id: "\(writer)-\(number)", name: "n",
                  receivedAtMs: 1, metadata: "{}", payload: "{}")
              ])
            }
          }
        }
        try await tasks.waitForAll()
      }
      #expect(try await reader.value.count == 400)
    }
  }

  @Test func `an erasure leaves no erased data in the files of the tables`() async throws {
    try await withServer { server, location, tokens in
      let store = try MeetingStore(in: location, tokens: tokens)
      let meeting = try await store.makeMeeting()
      let name = "somebody-\(UUID().uuidString)"
      let attendee = try await store.makeAttendee(name, in: meeting)
      let who = ParticipantIdentity(
        id: ParticipantID(attendee.attendee.id), externalUserID: try ExternalUserID(name))
      _ = try await store.record([
        JoinLeaveHistory(
          of: meeting, epoch: 1, sequences: 1...1,
          changes: [JoinLeaveHistory.Change(sequence: 1, who: who, at: 5)])
      ])
      try await store.deleteAttendee(attendee.attendee.id, in: meeting, at: 6)
      let erased = try await store.erase(
        try ExternalUserID(name), and: [attendee.attendee.id], at: 7)
      #expect(erased.sessions == 1)
      let left = try await store.read { database in
        try database.count(
          "SELECT count(*) FROM attendance WHERE external_user_id = ?", [name])
      }
      #expect(left == 0)
    }
  }
}

extension Result where Failure == any Error {
  fileprivate static func of(_ body: () async throws -> Success) async -> Self {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
