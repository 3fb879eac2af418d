/// Measures the throughput of data messages of 2 KiB to a hundred clients, through the gateway, the
/// service `messaging` and the disk of `messaging`.
struct MessageFanOutBenchmark: Benchmark {
  let options: MeasurementOptions
  let name = "messages.fanout.2k.100"

  private static let messages = 4_000

  /// The number of messages in flight. A client may have 256 open calls.
  private static let window = 192

  /// The number of rounds: three times as many rounds as in other benchmarks, because the result is
  /// noisy.
  private var rounds: Int { 3 * options.rounds }

  /// The goals of the rows, one for each peer.
  private static let bars: [PassThreshold?] = [.ratioAtLeast(2), .ratioAtLeast(1), nil]

  func measure() async throws -> [BenchmarkRow] {
    let rounds = try await MessageBenchmarkMeeting.hold(options) { meeting in
      try (0..<self.rounds).map { _ in
        try meeting.crowds.map {
          try $0.fan(events: Self.messages, window: Self.window).perSecond
        }
      }
    }
    return MessageBenchmarkMeeting.peers.enumerated().map { index, peer in
      BenchmarkRow(
        name: name, unit: "deliveries/s", peer: peer,
        samples: rounds.map { .init(value: $0[0], peerValue: $0[index + 1]) },
        bar: Self.bars[index])
    }
  }
}
