import TestSupport

/// Measures how many data messages of 2 KiB the service `messaging` acknowledges when the service
/// stores the messages in PostgreSQL. For comparison, the benchmark measures pgbench, which inserts
/// the same rows into the same server, each in its own transaction.
struct PostgresAppendBenchmark: Benchmark {
  let options: MeasurementOptions
  let name = "messages.append.postgresql"

  private static let messages = 20_000

  func measure() async throws -> [BenchmarkRow] {
    let flags = MessageBenchmarkMeeting.raisedOfMessaging
    say("raised: \(flags.joined(separator: " "))")
    let appends = try await BenchmarkPostgres.hold { store in
      let database = try store.server.makeDatabase()
      return try await BenchmarkServiceInstances.hold(
        "messaging", flags: flags + ["--store", database]
      ) {
        messaging in
        let pgbench = try PgBench(database, of: store.server, in: messaging.directory)
        let clients = try pgbench.bestClients(inserting: Self.messages / 2)
        return try await MessageAppendRounds.measure(options, of: Self.messages, at: messaging) {
          _ in
          try pgbench.rowsPerSecond(inserting: Self.messages, clients: clients)
        }
      }
    }
    return appends.rows(name, beside: "pgbench", bar: .ratioAtLeast(0.7))
  }
}
