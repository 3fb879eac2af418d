import Foundation
import TestSupport
import Trials

/// Measures the delivery of a mute through presence and the gateway to everyone in the meeting.
///
/// Carillon and two other servers send the same number of bytes to the same clients (`Peers/crowd`)
/// over loopback TCP. The benchmark measures deliveries per second with several events in flight,
/// and delivery times with one event in flight.
struct FanOutBenchmark: Benchmark {
  let options: MeasurementOptions
  let listeners: Int

  var name: String { "presence.fanout.\(listeners)" }

  /// The number of deliveries in one run.
  private static let deliveries = 400_000
  private static let timedDeliveries = 100_000

  private struct Measured {
    let busy: Crowd.DeliveryMeasurements
    let calm: Crowd.DeliveryMeasurements
  }

  func measure() async throws -> [BenchmarkRow] {
    let raised = [
      "--keep-alive-ms", "10000", "--client-budget-kib", "65536", "--requests-per-second", "100000",
      "--request-burst", "1000000",
    ]
    let rounds = try await Installation.run(raised: raised, capacity: listeners + 1) {
      installation in
      let attendees = try await installation.makeAttendees(listeners + 1)
      let ours = try Crowd(
        options, of: installation.gateway, as: attendees, in: installation.directory)
      defer { ours.end() }
      _ = try ours.join(outstanding: 8)
      let bytes = Int(try ours.fan(events: 50, window: 1).bytes)
      return try await measure(ours, beside: bytes, in: installation.directory)
    }
    return rows(rounds)
  }

  private func measure(
    _ ours: Crowd, beside bytes: Int, in directory: String
  ) async throws -> [[Measured]] {
    let ports = try (0..<3).map { _ in try LocalSocket.freePort() }
    let (publisher, trigger, nats) = (ports[0], ports[1], ports[2])
    let servers = [
      (
        "zmq_fan",
        [
          "\(options.peers)/zmq_fan", "tcp://127.0.0.1:\(publisher)", "tcp://127.0.0.1:\(trigger)",
          "\(bytes)", "2",
        ]
      ),
      ("nats-server", ["nats-server", "--addr", "127.0.0.1", "--port", "\(nats)"]),
    ]
    return try await withPeers(servers, in: directory) { _ in
      let crowds = [
        ours, try Crowd(options, ["sub", "\(publisher)", "\(trigger)", "\(listeners)"]),
        try Crowd(options, ["nats", "\(nats)", "\(listeners)", "\(bytes)"]),
      ]
      defer { for crowd in crowds.dropFirst() { crowd.end() } }
      return try (0..<options.rounds).map { _ in try crowds.map { try measure($0) } }
    }
  }

  private func measure(_ crowd: Crowd) throws -> Measured {
    Measured(
      busy: try crowd.fan(events: Self.deliveries / listeners, window: options.window),
      calm: try crowd.fan(events: Self.timedDeliveries / listeners, window: 1))
  }

  private func rows(_ rounds: [[Measured]]) -> [BenchmarkRow] {
    let peers: [(String, PassThreshold)] = [
      ("libzmq-pub", .ratioAtLeast(listeners < 1_000 ? 0.8 : 1.2)),
      ("nats-server", .ratioAtLeast(listeners < 1_000 ? 1.1 : 1.5)),
    ]
    return peers.enumerated().flatMap { index, peer in
      func row(
        _ suffix: String, _ unit: String, _ bar: PassThreshold?, _ value: (Measured) -> Double
      ) -> BenchmarkRow {
        BenchmarkRow(
          name: name + suffix, unit: unit, peer: peer.0,
          samples: rounds.map { .init(value: value($0[0]), peerValue: value($0[index + 1])) },
          bar: bar)
      }
      return [
        row("", "deliveries/s", peer.1) { $0.busy.perSecond },
        row(".p50", "µs", nil) { $0.calm.half },
        row(".p99", "µs", nil) { $0.calm.most },
      ]
    }
  }
}
