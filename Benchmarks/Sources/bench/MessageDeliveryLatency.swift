/// Measures the delivery time of a data message of 2 KiB to a hundred clients, at a hundred
/// messages per second. The benchmark also measures the disk's share of the delivery time.
struct MessageDeliveryLatency: Benchmark {
  let options: MeasurementOptions
  let name = "messages.delivery"

  private static let perSecond = 100
  private static let messages = 500

  private struct Round {
    /// Carillon's deliveries, and then the deliveries of the peers.
    let deliveries: [Crowd.DeliveryMeasurements]
    let commit: Double
  }

  func measure() async throws -> [BenchmarkRow] {
    let rounds = try await MessageBenchmarkMeeting.hold(options) { meeting in
      var rounds: [Round] = []
      // Warm-up: the first messages grow files and fill caches in every server.
      for crowd in meeting.crowds { _ = try pace(crowd) }
      for _ in 0..<options.rounds {
        let before = try await meeting.commits()
        let deliveries = try meeting.crowds.map(pace)
        rounds.append(
          Round(
            deliveries: deliveries, commit: try await meeting.commits().since(before).microseconds))
      }
      return rounds
    }
    return rows(rounds)
  }

  private func pace(_ crowd: Crowd) throws -> Crowd.DeliveryMeasurements {
    try crowd.pace(events: Self.messages, perSecond: Self.perSecond)
  }

  private func rows(_ rounds: [Round]) -> [BenchmarkRow] {
    func row(
      _ suffix: String, _ peer: Int, _ bar: PassThreshold?,
      _ value: (Crowd.DeliveryMeasurements) -> Double
    ) -> BenchmarkRow {
      BenchmarkRow(
        name: name + suffix, unit: "µs", peer: MessageBenchmarkMeeting.peers[peer],
        samples: rounds.map {
          .init(value: value($0.deliveries[0]), peerValue: value($0.deliveries[peer + 1]))
        }, bar: bar)
    }
    return [
      row(".p50", 0, nil) { $0.half },
      row(".p50", 1, nil) { $0.half },
      row(".p50", 2, .ratioAtMost(1.15)) { $0.half },
      row(".p99", 0, nil) { $0.most },
      row(".p99", 1, nil) { $0.most },
      row(".p99", 2, .ratioAtMost(1.3)) { $0.most },
      BenchmarkRow(
        name: "\(name).commit", unit: "µs", peer: nil,
        samples: rounds.map { .init(value: $0.commit) }),
      BenchmarkRow(
        name: "\(name).commit_share", unit: "of p50", peer: nil,
        samples: rounds.map { .init(value: $0.commit / $0.deliveries[0].half) }),
    ]
  }
}
