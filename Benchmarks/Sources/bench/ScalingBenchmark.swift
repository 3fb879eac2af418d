/// Measures how the throughput of a service grows with the number of the service's instances on the
/// same machine.
protocol ScalingBenchmark: Benchmark {
  var options: MeasurementOptions { get }

  /// The unit of the throughput.
  var unit: String { get }

  func throughput(of instances: Int) async throws -> Throughput
}

extension ScalingBenchmark {
  var names: [String] { instanceCounts.map { "\(name).\($0)" } }

  func measure() async throws -> [BenchmarkRow] {
    var rounds: [[Throughput]] = []
    for _ in 0..<options.rounds {
      var round: [Throughput] = []
      for count in instanceCounts { round.append(try await throughput(of: count)) }
      rounds.append(round)
    }
    return instanceCounts.indices.flatMap { rows($0, rounds) }
  }

  private var instanceCounts: [Int] { [1, 2, 3] }

  private func rows(_ index: Int, _ rounds: [[Throughput]]) -> [BenchmarkRow] {
    let name = names[index]
    let samples = rounds.map {
      BenchmarkRow.RoundValues(
        value: $0[index].perSecond, peerValue: index == 0 ? nil : $0[0].perSecond)
    }
    func busy(_ what: String, _ cores: (Throughput) -> Double) -> BenchmarkRow {
      BenchmarkRow(
        name: "\(name).\(what)", unit: "cores", peer: nil,
        samples: rounds.map { .init(value: cores($0[index])) })
    }
    let all = [
      BenchmarkRow(
        name: name, unit: unit, peer: index == 0 ? nil : "one-instance", samples: samples),
      busy("cpu", \.cores), busy("driver_cpu", \.driverCores),
    ]
    let hasStore = rounds.contains { $0[index].storeCores > 0 }
    return hasStore ? all + [busy("store_cpu", \.storeCores)] : all
  }
}
