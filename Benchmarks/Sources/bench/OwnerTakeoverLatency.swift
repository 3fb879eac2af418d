import MeetingModel
import TestSupport
import Wire

/// Measures a takeover. The benchmark kills the `presence` instance that owns a meeting of two
/// thousand attendees. Another instance must then restore the roster and send the roster to
/// everyone.
struct OwnerTakeoverLatency: Benchmark {
  let options: MeasurementOptions
  let name = "presence.join_storm.killed"

  private static let attendees = 2_000
  private static let instances = ["presence-a", "presence-b"]

  func measure() async throws -> [BenchmarkRow] {
    var rounds: [(first: Double, all: Double)] = []
    for _ in 0..<options.rounds { rounds.append(try await kill()) }
    return [
      BenchmarkRow(
        name: name, unit: "s", peer: nil, samples: rounds.map { .init(value: $0.all) },
        bar: .atMost(3)),
      BenchmarkRow(
        name: "\(name).first", unit: "s", peer: nil,
        samples: rounds.map { .init(value: $0.first) }),
    ]
  }

  private func kill() async throws -> (first: Double, all: Double) {
    let raised = ["--keep-alive-ms", "10000", "--client-budget-kib", "65536"]
    return try await Installation.run(raised: raised, capacity: Self.attendees) { installation in
      let (name, directory) = (Self.instances[1], installation.directory)
      let command = [
        "\(try Installation.binaries())/presence", "--instance", name, "--runtime-dir",
        "\(directory)/run", "--data-dir", "\(directory)/data", "--max-attendees",
        "\(Self.attendees)",
      ]
      return try await withPeers([(name, command)], in: directory) { _ in
        try await eventually("\(name) to be seen", within: .seconds(20)) {
          (try? await installation.processID(of: name)) != nil
        }
        return try await kill(in: installation)
      }
    }
  }

  private func kill(in installation: Installation) async throws -> (first: Double, all: Double) {
    let attendees = try await installation.makeAttendees(Self.attendees)
    let crowd = try Crowd(
      options, of: installation.gateway, as: attendees, in: installation.directory)
    defer { crowd.end() }
    _ = try crowd.join(outstanding: JoinStormBenchmark.outstanding)
    let meeting = try MeetingID(attendees[0].meetingID)
    guard let owner = OwningInstances(of: Self.instances).owner(of: meeting) else {
      throw BenchError.missing("The meeting's owner")
    }
    let times = try crowd.kill(owner: try await installation.processID(of: owner))
    // The new owner must also deliver events: a mute must reach everyone.
    _ = try crowd.fan(events: 1, window: 1)
    return times
  }
}
