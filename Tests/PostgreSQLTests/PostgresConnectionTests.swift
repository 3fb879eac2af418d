import Foundation
import TestSupport
import Testing
import ZeroMQ

@testable import PostgreSQL

@Suite(.timeLimit(.minutes(5))) struct PostgresConnectionTests {
  private func withConnection(_ body: (PostgresConnection) throws -> Void) async throws {
    let address = try PostgresAddress(try await PostgresServer.shared().makeDatabase())
    try body(
      try PostgresConnection.open(to: address, timeout: .seconds(5), applicationName: "tests"))
  }

  @Test func `values that were written are read back unchanged`() async throws {
    try await withConnection { connection in
      try connection.run(
        script: "CREATE TABLE t (n BIGINT, i INTEGER, s SMALLINT, b BOOLEAN, t TEXT, d BYTEA)")
      let rows: [[PostgresValue]] = [
        [.integer(.max), .integer(-7), .integer(3), .integer(1), .text("ä'\n"), .bytes([0, 255])],
        [.integer(.min), .integer(0), .integer(-1), .integer(0), .text(""), .bytes([])],
        [.null, .null, .null, .null, .null, .null],
      ]
      for row in rows {
        try connection.send("INSERT INTO t VALUES ($1, $2, $3, $4, $5, $6)", row)
      }
      let result = try connection.query("SELECT * FROM t")
      #expect(result.rows == rows)
      #expect(result.columns == ["n", "i", "s", "b", "t", "d"])
      #expect(try connection.query("UPDATE t SET n = 1 WHERE n IS NOT NULL").count == 2)
      // A column of type bytes stores every text unchanged, even a text with characters that a
      // column of type text rejects.
      _ = try connection.query("UPDATE t SET d = $1", [.text("a\u{0}b")])
      #expect(try connection.query("SELECT DISTINCT d FROM t").rows == [[.bytes([97, 0, 98])]])
    }
  }

  @Test
  func `if a statement in a pipeline fails, the awaited query fails and no later statement runs`()
    async throws
  {
    try await withConnection { connection in
      try connection.run(script: "CREATE TABLE t (n BIGINT PRIMARY KEY)")
      try connection.send("BEGIN")
      for number in [1, 2, 1, 3] {
        try connection.send("INSERT INTO t VALUES ($1)", [.integer(Int64(number))])
      }
      let error = #expect(throws: PostgresError.self) { try connection.query("COMMIT") }
      #expect(error?.kind == .refused(sqlState: "23505"))
      #expect(error?.refusalClass == "23")
      #expect(error?.endsConnection == false)
      #expect(connection.isInsideTransaction)
      _ = try connection.query("ROLLBACK")
      #expect(!connection.isInsideTransaction)
      #expect(try connection.query("SELECT count(*) FROM t").rows == [[.integer(0)]])
    }
  }

  @Test func `an invalid statement or value does not affect later statements`()
    async throws
  {
    try await withConnection { connection in
      #expect(throws: PostgresError.self) { try connection.query("SELEKT") }
      #expect(throws: PostgresError.self) {
        try connection.query("SELECT $1::BIGINT", [.text("x")])
      }
      #expect(throws: PostgresError.self) { try connection.query("SELECT $1::BIGINT", []) }
      let zero = #expect(throws: PostgresError.self) {
        try connection.query("SELECT $1::TEXT", [.text("a\u{0}")])
      }
      #expect(zero?.refusalClass == "22")
      #expect(throws: PostgresError.self) { try connection.query("SELECT 1.5::NUMERIC") }
      #expect(throws: PostgresError.self) { try connection.run(script: "SELECT 1; nonsense") }
      let after = try connection.query("SELECT 1").rows
      #expect(after == [[.integer(1)]] && connection.isUsable)
    }
  }

  @Test func `many pipelined statements do not deadlock`() async throws {
    try await withConnection { connection in
      try connection.run(script: "CREATE TABLE t (n BIGINT, d BYTEA)")
      let data = [UInt8](repeating: 7, count: 50_000)
      // The data is larger than the socket buffers, and the server sends answers before it has
      // received all data.
      for number in 0..<200 {
        try connection.send(
          "INSERT INTO t VALUES ($1, $2) RETURNING d", [.integer(Int64(number)), .bytes(data)])
      }
      #expect(try connection.query("SELECT count(*) FROM t").rows == [[.integer(200)]])
    }
  }

  @Test
  func
    `calls to an unreachable server fail immediately, and calls to a stopped server fail in time`()
    async throws
  {
    let nowhere = try PostgresAddress("postgresql://x@/x?host=/nowhere")
    let refused = #expect(throws: PostgresError.self) {
      try PostgresConnection.open(to: nowhere, timeout: .seconds(5), applicationName: "tests")
    }
    #expect(refused?.kind == .unreachable)

    let thread = SocketThread(name: "postgresql")
    defer { thread.stop() }
    let directory = NSTemporaryDirectory() + "pg-" + UUID().uuidString.prefix(8)
    let server = try await PostgresServer(in: directory, on: thread)
    let address = try PostgresAddress(try server.makeDatabase())
    let connection = try PostgresConnection.open(
      to: address, timeout: .milliseconds(500), applicationName: "tests")
    #expect(try connection.query("SELECT 1").rows == [[.integer(1)]])
    try server.freeze()
    let late = #expect(throws: PostgresError.self) { try connection.query("SELECT 1") }
    #expect(late?.kind == .timedOut && late?.endsConnection == true)
    let unanswered = #expect(throws: PostgresError.self) {
      try PostgresConnection.open(
        to: address, timeout: .milliseconds(500), applicationName: "tests")
    }
    #expect(unanswered?.kind == .timedOut)
    try server.thaw()

    let other = try PostgresConnection.open(
      to: address, timeout: .seconds(5), applicationName: "tests")
    try await server.crash()
    let broken = #expect(throws: PostgresError.self) { try other.query("SELECT 1") }
    #expect(broken?.endsConnection == true)
    try await server.start()
    let again = try PostgresConnection.open(
      to: address, timeout: .seconds(5), applicationName: "tests")
    #expect(try again.query("SELECT 1").rows == [[.integer(1)]])
    try await server.remove()
  }
}
