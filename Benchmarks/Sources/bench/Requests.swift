import Foundation
import TestSupport

/// Measures the median latency of one request at a time over a Unix socket.
struct RequestLatency: Benchmark {
  let options: MeasurementOptions

  /// Whether both processes share one core. Otherwise, the latency may include the time of a
  /// wake-up across cores. This time does not depend on the measured code.
  let isPinned: Bool

  var name: String { "rpc.latency.p50\(isPinned ? ".pinned" : "")" }

  private static let calls = 20_000

  func measure() async throws -> [BenchmarkRow] {
    let samples = try await EchoRounds(options: options, isPinned: isPinned).run(
      beside: [.zmq], calls: Self.calls, outstanding: 1)
    return [
      BenchmarkRow(
        name: name, unit: "µs", peer: EchoPeer.zmq.name,
        samples: samples.map {
          .init(value: $0.ours[0] / 1_000, peerValue: $0.peers[0][0] / 1_000)
        },
        bar: .ratioAtMost(1.1))
    ]
  }
}

/// Measures the throughput with a hundred requests in flight.
struct RequestThroughput: Benchmark {
  let options: MeasurementOptions
  let name = "rpc.throughput"

  private static let calls = 50_000

  func measure() async throws -> [BenchmarkRow] {
    let peers: [(EchoPeer, PassThreshold)] = [
      (.zmq, .ratioAtLeast(0.7)), (.grpc, .ratioAtLeast(5)),
    ]
    let samples = try await EchoRounds(options: options, isPinned: false).run(
      beside: peers.map(\.0), calls: Self.calls, outstanding: 100)
    return peers.enumerated().map { index, peer in
      BenchmarkRow(
        name: name, unit: "calls/s", peer: peer.0.name,
        samples: samples.map { .init(value: $0.ours[1], peerValue: $0.peers[index][1]) },
        bar: peer.1)
    }
  }
}

/// The peers that answer requests.
enum EchoPeer {
  case zmq, grpc

  var name: String {
    switch self {
    case .zmq: "libzmq"
    case .grpc: "grpc-c++"
    }
  }

  func server(_ programs: String, _ directory: String) -> [String] {
    switch self {
    case .zmq: ["\(programs)/zmq_echo", "ipc://\(directory)/zmq", "1"]
    case .grpc: ["\(programs)/grpc_echo", "serve", "unix:\(directory)/grpc"]
    }
  }

  func client(_ programs: String, _ directory: String) -> [String] {
    switch self {
    case .zmq: ["\(programs)/zmq_ping", "ipc://\(directory)/zmq", "64"]
    case .grpc: ["\(programs)/grpc_echo", "ask", "unix:\(directory)/grpc"]
    }
  }
}

/// Rounds of requests and replies. The rounds alternate between Carillon and each peer.
private struct EchoRounds {
  let options: MeasurementOptions
  let isPinned: Bool

  struct Round {
    let ours: [Double]
    let peers: [[Double]]
  }

  /// The number of calls before the first round. These calls open the connections and load the
  /// code.
  private static let warmUp = 5_000

  func run(beside peers: [EchoPeer], calls: Int, outstanding: Int) async throws -> [Round] {
    try await withTemporaryDirectory { directory in
      let bench = CommandLine.arguments[0]
      let servers =
        [("echo", placed([bench, "serve", "\(directory)/ours"]))]
        + peers.map { ($0.name, placed($0.server(options.peers, directory))) }
      return try await withPeers(servers, in: directory) { _ in
        let clients =
          try [MeasuringProcess(placed([bench, "ask", "\(directory)/ours"]))]
          + peers.map { try MeasuringProcess(placed($0.client(options.peers, directory))) }
        defer { for client in clients { client.end() } }
        for client in clients { _ = try client.ask("\(Self.warmUp) \(outstanding)") }
        return try (0..<options.rounds).map { _ in
          let results = try clients.map { try $0.ask("\(calls) \(outstanding)") }
          return Round(ours: results[0], peers: Array(results.dropFirst()))
        }
      }
    }
  }

  private func placed(_ command: [String]) -> [String] {
    isPinned ? ["taskset", "--cpu-list", "0"] + command : command
  }
}
