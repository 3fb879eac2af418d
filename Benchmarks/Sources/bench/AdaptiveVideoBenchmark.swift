import AdaptiveTrials
import Foundation

/// Measures the quality that receivers and publishers get on changing links. The benchmark runs
/// each profile of `adaptive.json` with each of its seeds, on real processes and the client
/// library.
struct AdaptiveVideoBenchmark: Benchmark {
  let options: MeasurementOptions
  let name = "adaptive"
  private let profiles: [LinkProfile]

  init(options: MeasurementOptions) throws {
    self.options = options
    profiles = try LinkProfile.read("adaptive.json")
  }

  var names: [String] { profiles.map { "adaptive.\($0.name)" } }

  func measure() async throws -> [BenchmarkRow] {
    var rows: [BenchmarkRow] = []
    // Create the directory first, so that no finished trial loses its plot.
    try FileManager.default.createDirectory(
      atPath: "results", withIntermediateDirectories: true)
    for profile in profiles where options.wants("adaptive.\(profile.name)") {
      var results: [AdaptiveResult] = []
      for seed in profile.seeds {
        let trace = try await AdaptiveTrial.run(profile, seed: seed)
        results.append(trace.result(seed: seed))
        say("  \(profile.name), seed \(seed): \(results.last?.misses(AdaptiveBars()) ?? [])")
        let path = "results/adaptive.\(profile.name).\(seed).svg"
        try Data(AdaptivePlot(trace).svg.utf8).write(to: URL(filePath: path))
      }
      rows += Self.rows(of: profile, results)
    }
    return rows
  }

  private static func rows(of profile: LinkProfile, _ results: [AdaptiveResult]) -> [BenchmarkRow] {
    let bars = AdaptiveBars()
    func row(
      _ what: String, _ unit: String, _ bar: PassThreshold, _ value: (AdaptiveResult) -> Double?
    ) -> BenchmarkRow {
      BenchmarkRow(
        name: "adaptive.\(profile.name).\(what)", unit: unit, peer: nil,
        samples: results.compactMap { value($0).map { .init(value: $0) } }, bar: bar)
    }
    let rows = [
      row("adapt", "s", .atMost(bars.adaptSeconds)) { $0.adaptSeconds },
      row("recover", "s", .atMost(bars.recoverSeconds)) { $0.recoverSeconds },
      row("gap", "s", .atMost(bars.gapSeconds)) { $0.longestGapSeconds },
      row("frames", "of 1", .atLeast(bars.frameShare)) { $0.frameShare },
      row("audio_gap", "ms", .atMost(bars.audioGapMs)) { $0.audioGapMs },
      row("estimate", "of 1 off", .atMost(bars.estimateError)) { $0.estimateError },
      row("goodput", "of 1", .atLeast(bars.goodput)) { $0.goodput },
      row("queue.p95", "ms", .atMost(bars.queueMs)) { $0.queueMs },
    ]
    return rows.filter { !$0.samples.isEmpty }
  }
}
