/// Measures how many source changes per second a meeting of 250 receivers handles. A change is
/// complete when the events for all receivers have reached a gateway.
struct TileFanOutBenchmark: Benchmark {
  let options: MeasurementOptions
  let name = "tiles.events.fanout.250"

  private static let pairs = 100

  func measure() async throws -> [BenchmarkRow] {
    var samples: [BenchmarkRow.RoundValues] = []
    for _ in 0..<options.rounds {
      let elapsed = try await TileBenchmarkMeeting.hold(isSubscribed: false) { meeting in
        let start = ContinuousClock.now
        for _ in 0..<Self.pairs { try await meeting.republish() }
        return ContinuousClock.now - start
      }
      samples.append(.init(value: 2 * Double(Self.pairs) / (elapsed / .seconds(1))))
    }
    return [BenchmarkRow(name: name, unit: "changes/s", peer: nil, samples: samples)]
  }
}
