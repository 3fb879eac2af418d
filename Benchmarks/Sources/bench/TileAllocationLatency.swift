/// Measures how long video-tiles takes to decide which layers of 25 sources each of 250 receivers
/// gets, after the bandwidth estimate of each receiver's link has changed.
///
/// The service's own metrics provide the time, so the time excludes the transmission of requests.
struct TileAllocationLatency: Benchmark {
  let options: MeasurementOptions
  let name = "tiles.allocate.25x250"

  private static let reports = 200

  func measure() async throws -> [BenchmarkRow] {
    var samples: [BenchmarkRow.RoundValues] = []
    for _ in 0..<options.rounds {
      let seconds = try await TileBenchmarkMeeting.hold(isSubscribed: true) { meeting in
        let before = try await meeting.secondsOfDeciding()
        for report in 0..<UInt32(Self.reports) {
          // The estimate falls step by step from high to low, because a lower estimate takes effect
          // immediately.
          try await meeting.reportDownlink(bitsPerSecond: 29_000_000 - report * 130_000)
        }
        return try await meeting.secondsOfDeciding() - before
      }
      samples.append(.init(value: seconds * 1_000_000 / Double(Self.reports)))
    }
    return [BenchmarkRow(name: name, unit: "µs", peer: nil, samples: samples, bar: .atMost(1_000))]
  }
}
