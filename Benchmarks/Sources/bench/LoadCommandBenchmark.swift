import Foundation
import Glibc
import TestSupport

/// Runs the operator's load test: `carillon load` against the services that `carillon up` starts.
/// Of the 200 library clients, three speak and four send the video of a camera.
struct LoadCommandBenchmark: Benchmark {
  let options: MeasurementOptions
  let name = "load"

  private static let seconds = 30

  /// Those figures of the command's output that become rows of the results. Times are in
  /// microseconds.
  private struct Said: Decodable {
    var joinP50: Double
    var joinP99: Double
    var failed: Double
    var deliveriesLost: Double
    var deliveryP50: Double
    var deliveryP99: Double
    var heardPercent: Double
    var framesPerSecond: Double
    var services: [Service]

    struct Service: Decodable {
      var instance: String
      var percent: Double

      private enum CodingKeys: String, CodingKey {
        case instance
        case percent = "cpu_percent"
      }
    }

    private enum CodingKeys: String, CodingKey {
      case joinP50 = "join_p50_us"
      case joinP99 = "join_p99_us"
      case failed
      case deliveriesLost = "deliveries_lost"
      case deliveryP50 = "delivery_p50_us"
      case deliveryP99 = "delivery_p99_us"
      case heardPercent = "heard_percent"
      case framesPerSecond = "frames_per_second"
      case services
    }
  }

  func measure() async throws -> [BenchmarkRow] {
    var rounds: [Said] = []
    for _ in 0..<options.rounds { rounds.append(try await load()) }
    func row(
      _ what: String, _ unit: String, bar: PassThreshold? = nil, _ value: (Said) -> Double?
    ) -> BenchmarkRow {
      BenchmarkRow(
        name: "\(name).\(what)", unit: unit, peer: nil,
        samples: rounds.compactMap { value($0).map { .init(value: $0) } }, bar: bar)
    }
    let instances = rounds.first?.services.map(\.instance) ?? []
    return [
      row("join.p50", "ms") { $0.joinP50 / 1_000 }, row("join.p99", "ms") { $0.joinP99 / 1_000 },
      row("delivery.p50", "ms") { $0.deliveryP50 / 1_000 },
      row("delivery.p99", "ms") { $0.deliveryP99 / 1_000 },
      row("lost", "deliveries and joins", bar: .atMost(0)) { $0.deliveriesLost + $0.failed },
      row("heard", "% of the time") { $0.heardPercent },
      row("frames", "a second") { $0.framesPerSecond },
    ]
      + instances.map { instance in
        row("cpu.\(instance)", "% of a core") { said in
          said.services.first { $0.instance == instance }?.percent
        }
      }
  }

  private func load() async throws -> Said {
    try await withTemporaryDirectory { directory in
      // The tool rejects settings that no service knows, so this code unsets the benchmark's own
      // setting.
      let carillon = [
        "--unset=CARILLON_BINARIES", "\(try Installation.binaries())/carillon",
      ]
      let places = ["--runtime-dir", "\(directory)/run"]
      let services = try MeasuringProcess(
        carillon + ["up", "--rest-port", "0", "--data-dir", "\(directory)/data"] + places)
      defer {
        kill(pid_t(services.processID), SIGTERM)
        services.end()
      }
      while try !services.readLine().hasPrefix("ready ") {}
      let load = try MeasuringProcess(
        carillon + [
          "load", "--attendees", "200", "--talkers", "3", "--cameras", "4",
          "--messages", "20/s", "--for", "\(Self.seconds)s", "--output", "json",
        ] + places)
      defer { load.end() }
      return try JSONDecoder().decode(Said.self, from: Data(load.readLine().utf8))
    }
  }
}
