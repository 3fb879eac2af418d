/// Measures how many data messages of 2 KiB the service `messaging` acknowledges after the service
/// has stored the messages on disk. For comparison, the benchmark measures SQLite alone, which
/// stores the same rows in the same number of commits.
struct MessageAppendBenchmark: Benchmark {
  let options: MeasurementOptions
  let name = "messages.append.durable"

  private static let messages = 10_000

  func measure() async throws -> [BenchmarkRow] {
    let flags = MessageBenchmarkMeeting.raisedOfMessaging
    say("raised: \(flags.joined(separator: " "))")
    let appends = try await BenchmarkServiceInstances.hold("messaging", flags: flags) { messaging in
      let sqlite = try MeasuringProcess([
        "\(options.peers)/sqlite_commits", "\(messaging.directory)/alone.sqlite",
        "\(MessageBenchmarkMeeting.bytes)",
      ])
      defer { sqlite.end() }
      return try await MessageAppendRounds.measure(options, of: Self.messages, at: messaging) {
        commits in
        try sqlite.ask("commit \(Self.messages) \(commits)")[0]
      }
    }
    return appends.rows(name, beside: "sqlite", bar: .ratioAtLeast(0.6))
  }
}
