import Foundation
import TestSupport
import Trials

/// What an attendee who does nothing costs the gateway, beside what the same connection costs a
/// bare ROUTER.
struct IdleMemory: Benchmark {
  let options: Options
  let name = "gateway.memory.idle_attendee"

  private static let attendees = 2_000

  /// Meetings of the default capacity: what a pipe of libzmq's was used for stays with it, so that
  /// one meeting of all would measure how many joins each attendee has seen.
  private static let meetings = 8

  func measure() async throws -> [Row] {
    var samples: [Row.Sample] = []
    var kernel: [Row.Sample] = []
    for _ in 0..<options.rounds {
      let (ours, bare) = (try await gateway(), try await router())
      samples.append(.init(value: ours.process, peerValue: bare.process))
      kernel.append(.init(value: ours.kernel, peerValue: bare.kernel))
    }
    return [
      Row(
        name: name, unit: "KB", peer: "libzmq-router", samples: samples, bar: .atMost(8)),
      Row(name: "\(name).kernel", unit: "KB", peer: "libzmq-router", samples: kernel),
    ]
  }

  /// KB for each attendee: the server's own, and the kernel's for both ends of its connection and
  /// all else that the attendee made it keep.
  private typealias Cost = (process: Double, kernel: Double)

  /// What `connect` makes a process and the kernel keep, for each of so many attendees.
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

  /// Of a fresh gateway, once all are in and it is quiet.
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
