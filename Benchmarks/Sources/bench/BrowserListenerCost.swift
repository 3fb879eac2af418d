/// Measures the cost of a browser that only listens: the processor time of each packet of the mix,
/// the memory, and the processor time of the admission and the handshake.
///
/// One participant speaks, and 1,000 browsers receive the same mix. From the processor time of
/// packets and from the memory, the benchmark subtracts the cost with one browser. The benchmark
/// measures the handshakes in another meeting.
struct BrowserListenerCost: Benchmark {
  let options: MeasurementOptions
  let name = "webrtc.listeners.1000"
  var names: [String] { [name, Self.handshake] }

  private static let handshake = "webrtc.handshake"
  private static let listeners = 1_000
  private static let joining = 100
  private static let time = Duration.seconds(5)

  func measure() async throws -> [BenchmarkRow] {
    var times: [BenchmarkRow.RoundValues] = []
    var memory: [BenchmarkRow.RoundValues] = []
    var handshakes: [BenchmarkRow.RoundValues] = []
    for _ in 0..<options.rounds {
      let few = try await media(2)
      let many = try await media(1 + Self.listeners)
      let added = Double(Self.listeners - 1)
      times.append(.init(value: (many.perTick - few.perTick) / added))
      memory.append(.init(value: (many.memory - few.memory) / added))
      handshakes.append(.init(value: try await media(Self.joining).perJoin))
    }
    return [
      BenchmarkRow(name: name, unit: "µs", peer: nil, samples: times),
      BenchmarkRow(
        name: "\(name).memory", unit: "KB", peer: nil, samples: memory, bar: .atMost(48)),
      BenchmarkRow(name: Self.handshake, unit: "µs", peer: nil, samples: handshakes),
      BenchmarkRow(
        name: "\(Self.handshake).rate", unit: "handshakes/s and core", peer: nil,
        samples: handshakes.map { .init(value: 1_000_000 / $0.value) }),
    ]
  }

  private func media(_ participants: Int) async throws -> AudioMeeting.Cost {
    try await MediaProcess.hold { media in
      try await AudioMeeting.cost(
        of: .webRTC(BenchmarkBrowserMeeting(media)), at: media, participants: participants,
        speakers: 1,
        for: Self.time, packets: options.voice)
    }
  }
}
