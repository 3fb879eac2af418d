import Foundation
import TestSupport
import Trials

/// Measures the delivery of data messages to a thousand browsers. Each message passes through the
/// gateway and `messaging`. `messaging` stores each message on disk.
///
/// The benchmark compares Carillon with nats-server over WebSockets. Both servers send the same
/// number of bytes per message to the same clients (`Peers/crowd`) over loopback TCP. The benchmark
/// measures deliveries per second with several messages in flight, and delivery times with one
/// message in flight.
struct BrowserFanOutBenchmark: Benchmark {
  let options: MeasurementOptions
  let name = "browser.fanout.1000"

  private static let listeners = 1_000
  private static let bytes = 256

  /// The number of deliveries in one run.
  private static let deliveries = 400_000
  private static let timedDeliveries = 100_000

  private struct Measured {
    let busy: Crowd.DeliveryMeasurements
    let calm: Crowd.DeliveryMeasurements
  }

  func measure() async throws -> [BenchmarkRow] {
    let raised =
      ["--keep-alive-ms", "10000", "--client-budget-kib", "65536"]
      + ["--requests-per-second", "100000", "--request-burst", "1000000"]
      + ["--rest-connections-per-address", "\(2 * Self.listeners)"]
    let rounds = try await Installation.run(
      raised: raised, ofMessaging: MessageBenchmarkMeeting.raisedOfMessaging,
      capacity: Self.listeners + 1
    ) { installation in
      let attendees = try await installation.makeAttendees(Self.listeners + 1)
      let ours = try Crowd.browsers(
        options, of: installation.gateway, as: attendees, in: installation.directory,
        sending: Self.bytes)
      defer { ours.end() }
      _ = try ours.join(outstanding: 8)
      let bytes = Int(try ours.fan(events: 50, window: 1).bytes)
      return try await measure(ours, beside: bytes, in: installation.directory)
    }
    func row(_ suffix: String, _ unit: String, _ bar: PassThreshold?, _ value: (Measured) -> Double)
      -> BenchmarkRow
    {
      BenchmarkRow(
        name: name + suffix, unit: unit, peer: "nats-server",
        samples: rounds.map { .init(value: value($0[0]), peerValue: value($0[1])) }, bar: bar)
    }
    return [
      row("", "deliveries/s", .ratioAtLeast(1)) { $0.busy.perSecond },
      row(".p50", "µs", nil) { $0.calm.half },
      row(".p99", "µs", nil) { $0.calm.most },
    ]
  }

  private func measure(
    _ ours: Crowd, beside bytes: Int, in directory: String
  ) async throws -> [[Measured]] {
    let (port, webSockets) = (try LocalSocket.freePort(), try LocalSocket.freePort())
    let settings = """
      listen: "127.0.0.1:\(port)"
      websocket { listen: "127.0.0.1:\(webSockets)", no_tls: true }

      """
    let path = "\(directory)/nats.conf"
    try settings.write(toFile: path, atomically: true, encoding: .utf8)
    let servers = [("nats-server", ["nats-server", "--config", path])]
    return try await withPeers(servers, in: directory) { _ in
      let nats = try Crowd(
        options, ["nats-websocket", "\(webSockets)", "\(Self.listeners)", "\(bytes)"])
      defer { nats.end() }
      return try (0..<options.rounds).map { _ in try [ours, nats].map { try measure($0) } }
    }
  }

  private func measure(_ crowd: Crowd) throws -> Measured {
    Measured(
      busy: try crowd.fan(events: Self.deliveries / Self.listeners, window: options.window),
      calm: try crowd.fan(events: Self.timedDeliveries / Self.listeners, window: 1))
  }
}
