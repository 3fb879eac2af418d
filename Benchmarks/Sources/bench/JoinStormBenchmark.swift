import TestSupport

/// Measures how fast two thousand attendees join one meeting, until all attendees have a complete
/// roster.
struct JoinStormBenchmark: Benchmark {
  let options: MeasurementOptions
  let name = "presence.join_storm"

  private static let attendees = 2_000

  /// The number of session starts in flight. Each session receives the whole roster at its start.
  /// If all sessions started simultaneously on two cores, the last starts would time out.
  static let outstanding = 64

  func measure() async throws -> [BenchmarkRow] {
    var rounds: [(joined: Double, agreed: Double)] = []
    for _ in 0..<options.rounds { rounds.append(try await storm()) }
    return [
      BenchmarkRow(
        name: name, unit: "joins/s", peer: nil,
        samples: rounds.map { .init(value: Double(Self.attendees) / $0.joined) },
        bar: .atLeast(1_500)),
      BenchmarkRow(
        name: "\(name).agreed", unit: "s", peer: nil,
        samples: rounds.map { .init(value: $0.agreed) }, bar: .atMost(3)),
    ]
  }

  private func storm() async throws -> (joined: Double, agreed: Double) {
    let raised = ["--keep-alive-ms", "10000", "--client-budget-kib", "65536"]
    return try await Installation.run(raised: raised, capacity: Self.attendees) { installation in
      let attendees = try await installation.makeAttendees(Self.attendees)
      let crowd = try Crowd(
        options, of: installation.gateway, as: attendees, in: installation.directory)
      defer { crowd.end() }
      let joined = try crowd.join(outstanding: Self.outstanding)
      return (joined.joined, joined.agreed)
    }
  }
}
