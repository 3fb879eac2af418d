import TestSupport

/// Measures how many data messages of 2 KiB the service `messaging` acknowledges when the service
/// stores the messages in PostgreSQL. The peer is pgbench, which inserts the same rows into the
/// same server, each in its own transaction.
struct PostgresAppends: Benchmark {
  let options: Options
  let name = "messages.append.postgresql"

  private static let messages = 20_000

  func measure() async throws -> [Row] {
    let flags = MessageMeeting.raisedOfMessaging
    say("raised: \(flags.joined(separator: " "))")
    let appends = try await BenchmarkPostgres.hold { store in
      let database = try store.server.makeDatabase()
      return try await ServiceInstances.hold("messaging", flags: flags + ["--store", database]) {
        messaging in
        let pgbench = try PgBench(database, of: store.server, in: messaging.directory)
        let clients = try pgbench.bestClients(inserting: Self.messages / 2)
        return try await AppendRounds.measure(options, of: Self.messages, at: messaging) { _ in
          try pgbench.rowsPerSecond(inserting: Self.messages, clients: clients)
        }
      }
    }
    return appends.rows(name, beside: "pgbench", bar: .ratioAtLeast(0.7))
  }
}
