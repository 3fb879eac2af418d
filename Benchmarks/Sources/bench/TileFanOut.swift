/// Measures how many source changes per second a meeting of 250 receivers handles. A change is
/// complete when the events for all receivers have reached a gateway.
struct TileFanOut: Benchmark {
  let options: Options
  let name = "tiles.events.fanout.250"

  private static let pairs = 100

  func measure() async throws -> [Row] {
    var samples: [Row.Sample] = []
    for _ in 0..<options.rounds {
      let elapsed = try await TileMeeting.hold(isSubscribed: false) { meeting in
        let start = ContinuousClock.now
        for _ in 0..<Self.pairs { try await meeting.republish() }
        return ContinuousClock.now - start
      }
      samples.append(.init(value: 2 * Double(Self.pairs) / (elapsed / .seconds(1))))
    }
    return [Row(name: name, unit: "changes/s", peer: nil, samples: samples)]
  }
}
