/// The rate at which the service `messaging` stores and acknowledges data messages of 2 KiB. The
/// rounds alternate with rounds of a peer that stores the same rows.
///
/// A raw client (`Peers/crowd`) acts as the gateway, at messaging's own socket.
struct MessageAppendRounds {
  /// The number of outstanding appends.
  static let window = 192

  /// The result of one round.
  private struct Sample {
    let appends: BenchmarkRow.RoundValues
    let batch: Double
  }

  private let samples: [Sample]

  /// - Parameters:
  ///   - messages: The number of messages in a round.
  ///   - peer: Measures the peer's database, and returns the rows per second that this database
  ///     inserts with the given number of commits.
  static func measure(
    _ options: MeasurementOptions, of messages: Int, at messaging: BenchmarkServiceInstances,
    beside peer: (_ commits: Int) throws -> Double
  ) async throws -> MessageAppendRounds {
    let meetings = try messaging.makeMeetings(1)
    let gateway = try Crowd(options, ["append", meetings, "\(MessageBenchmarkMeeting.bytes)"])
    defer { gateway.end() }
    let metrics = messaging.path("http", of: messaging.instances[0])
    var samples: [Sample] = []
    // The first round grows the files, and the benchmark does not count this round.
    for _ in 0...options.rounds {
      let before = try await CommitStatistics(at: metrics)
      let ours = try gateway.fan(events: messages, window: window)
      let commits = try await CommitStatistics(at: metrics).since(before).count
      samples.append(
        Sample(
          appends: .init(value: ours.perSecond, peerValue: try peer(Int(commits))),
          batch: Double(messages) / commits))
    }
    return MessageAppendRounds(samples: Array(samples.dropFirst()))
  }

  func rows(_ name: String, beside peer: String, bar: PassThreshold) -> [BenchmarkRow] {
    [
      BenchmarkRow(
        name: name, unit: "appends/s", peer: peer, samples: samples.map(\.appends), bar: bar),
      BenchmarkRow(
        name: "\(name).batch", unit: "appends/commit", peer: nil,
        samples: samples.map { .init(value: $0.batch) }),
    ]
  }
}
