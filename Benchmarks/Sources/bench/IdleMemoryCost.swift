import Foundation
import TestSupport
import Trials

/// Measures the gateway's memory per idle attendee. For comparison, the benchmark measures a bare
/// ROUTER with the same connections.
struct IdleMemoryCost: Benchmark {
  let options: MeasurementOptions
  let name = "gateway.memory.idle_attendee"

  private static let attendees = 2_000

  /// The number of meetings, each of the default capacity. A libzmq pipe does not free memory that
  /// it has used. So with a single meeting, the result would depend on the number of join events
  /// that each attendee has received.
  private static let meetings = 8

  func measure() async throws -> [BenchmarkRow] {
    var samples: [BenchmarkRow.RoundValues] = []
    var kernel: [BenchmarkRow.RoundValues] = []
    for _ in 0..<options.rounds {
      let (ours, bare) = (try await gateway(), try await router())
      samples.append(.init(value: ours.process, peerValue: bare.process))
      kernel.append(.init(value: ours.kernel, peerValue: bare.kernel))
    }
    return [
      BenchmarkRow(
        name: name, unit: "KB", peer: "libzmq-router", samples: samples, bar: .atMost(8)),
      BenchmarkRow(name: "\(name).kernel", unit: "KB", peer: "libzmq-router", samples: kernel),
    ]
  }

  /// The memory per attendee, in KB. `process` is the memory of the server process. `kernel` is all
  /// memory that the kernel keeps for the attendee, including both ends of the connection.
  private typealias Cost = (process: Double, kernel: Double)

  /// Returns the memory per attendee that `connect` adds to a process and to the kernel.
  private func cost(to process: Int, of connect: () throws -> Crowd) throws -> Cost {
    let before = try ProcessMemory.proportionalKilobytes(of: process)
    let kernelBefore = try ProcessMemory.kernelKilobytes()
    let crowd = try connect()
    defer { crowd.end() }
    let after = try ProcessMemory.proportionalKilobytes(of: process)
    let kernelAfter = try ProcessMemory.kernelKilobytes()
    let count = Double(Self.attendees)
    return ((after - before) / count, (kernelAfter - kernelBefore) / count)
  }

  /// Returns the memory per attendee in a new gateway. The measurement begins when all attendees
  /// have joined and the gateway is idle.
  private func gateway() async throws -> Cost {
    let raised = ["--keep-alive-ms", "10000"]
    return try await Installation.run(raised: raised, capacity: Self.attendees / Self.meetings) {
      installation in
      let attendees = try await installation.makeAttendees(
        Self.attendees / Self.meetings, meetings: Self.meetings)
      let gateway = try await installation.processID(of: installation.gateway.process.name)
      return try cost(to: gateway) {
        let crowd = try Crowd(
          options, of: installation.gateway, as: attendees, in: installation.directory)
        do {
          _ = try crowd.join(outstanding: 8)
        } catch {
          crowd.end()
          throw error
        }
        return crowd
      }
    }
  }

  private func router() async throws -> Cost {
    try await withTemporaryDirectory { directory in
      let port = try LocalSocket.freePort()
      let command = ["\(options.peers)/zmq_echo", "tcp://127.0.0.1:\(port)", "2"]
      return try await withPeers([("zmq_echo", command)], in: directory) { peers in
        let first = try Crowd(options, ["idle", "\(port)", "1"])
        defer { first.end() }
        return try cost(to: peers[0].processID) {
          try Crowd(options, ["idle", "\(port)", "\(Self.attendees)"])
        }
      }
    }
  }
}
