import Foundation
import TestSupport
import Trials
import Wire

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
    for _ in 0..<options.rounds {
      samples.append(.init(value: try await gateway(), peerValue: try await router()))
    }
    return [
      Row(
        name: name, unit: "KB", peer: "libzmq-router", samples: samples, bar: .atMost(8))
    ]
  }

  /// KB per attendee of a fresh gateway, once all are in and it is quiet.
  private func gateway() async throws -> Double {
    let raised = ["--keep-alive-ms", "10000"]
    return try await Installation.run(raised: raised, capacity: Self.attendees / Self.meetings) {
      installation in
      let attendees = try await installation.makeAttendees(
        Self.attendees / Self.meetings, meetings: Self.meetings)
      let services = try await installation.ask(
        V1.OperatorMethods.getServices, V1.GetServicesRequest())
      guard let gateway = services.instances.first(where: { $0.service == "gateway" }) else {
        throw BenchError.missing("The gateway's process")
      }
      let before = try ProcessMemory.proportionalKilobytes(of: Int(gateway.processID))
      let crowd = try Crowd(
        options, of: installation.gateway, as: attendees, in: installation.directory)
      defer { crowd.end() }
      _ = try crowd.join(outstanding: 8)
      let after = try ProcessMemory.proportionalKilobytes(of: Int(gateway.processID))
      return (after - before) / Double(Self.attendees)
    }
  }

  private func router() async throws -> Double {
    try await withTemporaryDirectory { directory in
      let port = try LocalSocket.freePort()
      let command = ["\(options.peers)/zmq_echo", "tcp://127.0.0.1:\(port)", "2"]
      return try await withPeers([("zmq_echo", command)], in: directory) { peers in
        let first = try Crowd(options, ["idle", "\(port)", "1"])
        defer { first.end() }
        let before = try ProcessMemory.proportionalKilobytes(of: peers[0].processID)
        let crowd = try Crowd(options, ["idle", "\(port)", "\(Self.attendees)"])
        defer { crowd.end() }
        let after = try ProcessMemory.proportionalKilobytes(of: peers[0].processID)
        return (after - before) / Double(Self.attendees)
      }
    }
  }
}
