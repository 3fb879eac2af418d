import Foundation
import MeetingModel
import TestSupport

/// Measures the forwarding of packets of 1,200 bytes from one camera to ten receivers, over
/// loopback TCP. For comparison, the benchmark measures a bare PULL socket that forwards the
/// packets to ten PUSH sockets.
///
/// With 32 packets in flight, the benchmark counts sent packets per second of the server's
/// processor time. The benchmark measures the latency at 150 packets per second, which is 1.4
/// Mbit/s.
struct VideoForwardingBenchmark: Benchmark {
  let options: MeasurementOptions
  let name = "video.forward"
  var names: [String] { [name, Self.latency] }

  private static let latency = "video.latency"
  private static let receivers = 10
  private static let packets = 40_000
  private static let window = 32
  private static let timedPackets = 600
  private static let perSecond = 150

  private struct Measured {
    let perCore: Double
    let calm: Crowd.DeliveryMeasurements
  }

  func measure() async throws -> [BenchmarkRow] {
    var rounds: [(ours: Measured, bare: Measured)] = []
    for _ in 0..<options.rounds {
      rounds.append((ours: try await media(), bare: try await pipeline()))
    }
    func row(
      _ name: String, _ unit: String, _ bar: PassThreshold?, _ value: (Measured) -> Double
    ) -> BenchmarkRow {
      BenchmarkRow(
        name: name, unit: unit, peer: "libzmq-push",
        samples: rounds.map { .init(value: value($0.ours), peerValue: value($0.bare)) }, bar: bar)
    }
    return [
      row(name, "packets/s and core", .ratioAtLeast(0.5)) { $0.perCore },
      row("\(Self.latency).p50", "µs", nil) { $0.calm.half },
      row("\(Self.latency).p99", "µs", nil) { $0.calm.most },
    ]
  }

  private func media() async throws -> Measured {
    try await MediaProcess.hold { media in
      let sessions = try await media.admit(Self.receivers + 1, to: .random())
      return try await VideoTilesStub.decide(for: sessions, in: media.directory) {
        let crowd = try Crowd.video(options, of: media, sessions)
        defer { crowd.end() }
        return try measure(crowd) { try media.used() }
      }
    }
  }

  private func pipeline() async throws -> Measured {
    try await withTemporaryDirectory { directory in
      let command = ["\(options.peers)/zmq_forward", "pipeline", "\(Self.receivers)"]
      return try await withPeers([("zmq_forward", command)], in: directory) { peers in
        let ports = try await peers[0].line(1).split(separator: " ").map(String.init)
        let crowd = try Crowd(options, ["pipeline"] + ports)
        defer { crowd.end() }
        let process = try peers[0].processID
        return try measure(crowd) { try ProcessTime.microseconds(of: process) }
      }
    }
  }

  private func measure(_ crowd: Crowd, _ used: () throws -> Double) throws -> Measured {
    _ = try crowd.fan(events: Self.packets / 10, window: Self.window)
    let before = try used()
    _ = try crowd.fan(events: Self.packets, window: Self.window)
    let seconds = (try used() - before) / 1_000_000
    return Measured(
      perCore: Double(Self.packets * Self.receivers) / seconds,
      calm: try crowd.pace(events: Self.timedPackets, perSecond: Self.perSecond))
  }
}
