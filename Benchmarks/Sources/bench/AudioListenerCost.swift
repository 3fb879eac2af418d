import Foundation
import MeetingModel
import TestSupport
import Trials

/// Measures the cost of an additional listener: processor time per packet of the mix, and memory.
///
/// One participant speaks, and 1,000 listeners receive the same mix over loopback TCP. The
/// benchmark subtracts the cost with one listener. For comparison, the benchmark measures a bare
/// ROUTER that sends the speaker's packets to the same number of clients.
struct AudioListenerCost: Benchmark {
  let options: MeasurementOptions
  let name = "audio.listeners.1000"
  var names: [String] { [name, Self.memory] }

  private static let memory = "media.memory.participant"
  private static let listeners = 1_000
  private static let seconds = 5

  private struct Measured {
    /// The processor time of an additional listener per packet, in microseconds.
    let time: Double

    /// The memory of an additional listener, in KB.
    let memory: Double
  }

  func measure() async throws -> [BenchmarkRow] {
    var rounds: [(ours: Measured, bare: Measured)] = []
    for _ in 0..<options.rounds {
      rounds.append((ours: try await media(), bare: try await router()))
    }
    return [
      BenchmarkRow(
        name: name, unit: "µs", peer: "libzmq-router",
        samples: rounds.map { .init(value: $0.ours.time, peerValue: $0.bare.time) },
        bar: .ratioAtMost(1.3)),
      BenchmarkRow(
        name: Self.memory, unit: "KB", peer: "libzmq-router",
        samples: rounds.map { .init(value: $0.ours.memory, peerValue: $0.bare.memory) }),
    ]
  }

  private func media() async throws -> Measured {
    try await MediaProcess.hold { media in
      let meeting = MeetingID.random()
      let few = try Crowd.audio(options, of: media, try await media.admit(2, to: meeting))
      defer { few.end() }
      return try await measure(
        few, others: Self.listeners - 1, used: { try media.used() },
        memory: { try media.memory() }
      ) { count in
        try Crowd.audio(options, of: media, try await media.admit(count, to: meeting))
      }
    }
  }

  private func router() async throws -> Measured {
    try await withTemporaryDirectory { directory in
      let port = try LocalSocket.freePort()
      let command = ["\(options.peers)/zmq_forward", "router", "tcp://127.0.0.1:\(port)"]
      return try await withPeers([("zmq_forward", command)], in: directory) { peers in
        let few = try Crowd.router(options, at: port, from: 0, 2)
        defer { few.end() }
        let process = try peers[0].processID
        return try await measure(
          few, others: Self.listeners - 1,
          used: { try ProcessTime.microseconds(of: process) },
          memory: { try ProcessMemory.proportionalKilobytes(of: process) }
        ) { count in try Crowd.router(options, at: port, from: 2, count) }
      }
    }
  }

  private func measure(
    _ few: Crowd, others: Int, used: () throws -> Double, memory: () throws -> Double,
    add: (Int) async throws -> Crowd
  ) async throws -> Measured {
    _ = try few.speak(seconds: 2, speakers: 1)  // The warm-up does one-time setup.
    let start = try used()
    let least = try few.speak(seconds: Self.seconds, speakers: 1).least
    let alone = (try used() - start) / Double(try require(least))
    let before = try memory()
    let many = try await add(others)
    defer { many.end() }
    _ = try few.speak(seconds: 2, speakers: 1)
    _ = try many.leastHeard()
    let restart = try used()
    _ = try few.speak(seconds: Self.seconds, speakers: 1)
    let together = (try used() - restart) / Double(try require(try many.leastHeard()))
    return Measured(
      time: (together - alone) / Double(others), memory: (try memory() - before) / Double(others))
  }

  /// Returns `packets`, the smallest number of packets that a listener received. Throws an error
  /// unless more than half of the sent packets arrived. On a busy machine, some packets are
  /// missing.
  private func require(_ packets: Int) throws -> Int {
    guard packets > Self.seconds * 25 else {
      throw BenchError.missing("More than \(packets) of \(Self.seconds * 50) packets")
    }
    return packets
  }
}
