import Foundation
import TestSupport

/// One request at a time, over a Unix socket: the median time until its answer.
struct RequestLatency: Benchmark {
  let options: Options

  /// Whether both processes share one core. Free ones are on either side of a wake-up across cores,
  /// which has nothing to do with who sends.
  let isPinned: Bool

  var name: String { "rpc.latency.p50\(isPinned ? ".pinned" : "")" }

  private static let calls = 20_000

  func measure() async throws -> [Row] {
    let samples = try await EchoRounds(options: options, isPinned: isPinned).run(
      beside: [.zmq], calls: Self.calls, outstanding: 1)
    return [
      Row(
        name: name, unit: "µs", peer: EchoPeer.zmq.name,
        samples: samples.map {
          .init(value: $0.ours[0] / 1_000, peerValue: $0.peers[0][0] / 1_000)
        },
        bar: .ratioAtMost(1.1))
    ]
  }
}

/// A hundred requests under way at all times.
struct RequestThroughput: Benchmark {
  let options: Options
  let name = "rpc.throughput"

  private static let calls = 50_000

  func measure() async throws -> [Row] {
    let peers: [(EchoPeer, Bar)] = [(.zmq, .ratioAtLeast(0.7)), (.grpc, .ratioAtLeast(5))]
    let samples = try await EchoRounds(options: options, isPinned: false).run(
      beside: peers.map(\.0), calls: Self.calls, outstanding: 100)
    return peers.enumerated().map { index, peer in
      Row(
        name: name, unit: "calls/s", peer: peer.0.name,
        samples: samples.map { .init(value: $0.ours[1], peerValue: $0.peers[index][1]) },
        bar: peer.1)
    }
  }
}

/// Who else answers requests.
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

/// Request and reply, ours and each peer's in turn.
private struct EchoRounds {
  let options: Options
  let isPinned: Bool

  struct Round {
    let ours: [Double]
    let peers: [[Double]]
  }

  /// Calls before the first round, so that connections stand and code is in memory.
  private static let warmUp = 5_000

  func run(beside peers: [EchoPeer], calls: Int, outstanding: Int) async throws -> [Round] {
    try await withTemporaryDirectory { directory in
      let bench = CommandLine.arguments[0]
      let servers =
        [("echo", placed([bench, "serve", "\(directory)/ours"]))]
        + peers.map { ($0.name, placed($0.server(options.peers, directory))) }
      return try await withPeers(servers, in: directory) { _ in
        let clients =
          try [Meter(placed([bench, "ask", "\(directory)/ours"]))]
          + peers.map { try Meter(placed($0.client(options.peers, directory))) }
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
