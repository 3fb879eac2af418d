import Foundation
import TestSupport

/// PostgreSQL's own benchmark, pgbench, which inserts rows like the rows of a message log, each row
/// in its own transaction.
///
/// pgbench does less work than messaging: pgbench's prepared statement already contains the data
/// and the texts, and pgbench does not fence the logs against other writers.
final class PgBench {
  private let database: String
  private let script: String
  private var runs = 0

  private static let program = "/usr/lib/postgresql/15/bin/pgbench"

  /// Creates a table for pgbench in a database that already has messaging's tables.
  ///
  /// - Parameter directory: The directory for the script.
  init(_ database: String, of server: PostgresServer, in directory: String) throws {
    self.database = database
    script = "\(directory)/insert.sql"
    try server.psql(
      """
      CREATE SCHEMA alone;
      CREATE TABLE alone.message (LIKE carillon_messages.message INCLUDING ALL)
      """, in: PostgresServer.name(ofDatabaseAt: database))
    try Self.statements.write(toFile: script, atomically: true, encoding: .utf8)
  }

  /// The statements of the script. Each client has its own log, whose rows are contiguous.
  private static var statements: String {
    // The program `Peers/crowd` sends the same data.
    let bytes = (0..<MessageBenchmarkMeeting.bytes).map { ($0 * 167 + $0 / 256) & 255 }
    let data = bytes.map { String(format: "%02x", $0) }.joined()
    return """
      \\set row :row + 1
      \\set id (:first + :client_id) * 68719476736 + :row
      INSERT INTO alone.message VALUES (:id, 1764000000000, 60000, 'bench', '\\x\(data)', \
      '7b1f0c52-6d0e-4f0a-9d3b-2a54c3a9e600', 'client-0', '', \
      'bKq3Xw_d0Z-0000');

      """
  }

  /// Returns the number of clients with which pgbench inserts rows at the highest rate.
  ///
  /// - Parameter rows: The number of rows to insert with each number of clients.
  func bestClients(inserting rows: Int) throws -> Int {
    var best = (clients: 1, rate: 0.0)
    for clients in [8, 16, 32, 64, 128] {
      let rate = try rowsPerSecond(inserting: rows, clients: clients)
      say("pgbench with \(clients) clients: \(Int(rate)) rows/s")
      if rate > best.rate { best = (clients, rate) }
    }
    return best.clients
  }

  func rowsPerSecond(inserting rows: Int, clients: Int) throws -> Double {
    runs += 1
    // Limit the transactions, not the time: a time limit uses a signal that children of this
    // process do not receive.
    let meter = try MeasuringProcess([
      Self.program, "--no-vacuum", "--protocol", "prepared", "--client", "\(clients)", "--jobs",
      "2", "--transactions", "\(rows / clients)", "--define", "row=0", "--define",
      "first=\(runs * 1_000)", "--file", script, database,
    ])
    defer { meter.end() }
    while true {
      let words = try meter.readLine().split(separator: " ")
      if words.first == "tps", words.count > 2, let rate = Double(words[2]) { return rate }
    }
  }
}
