import MeetingModel

/// Measures how many packets of 1,200 bytes the service `media` sends over loopback TCP. There are
/// six meetings, each with one camera and ten receivers.
struct MediaScaling: ScalingBenchmark {
  let options: MeasurementOptions
  let name = "scale.media"
  let unit = "packets/s"

  private static let meetings = 6
  private static let receivers = 10
  private static let packets = 20_000

  /// The number of packets in flight from one camera.
  private static let window = 16

  /// Measures the throughput, and repeats a failed run. If `media` gets no processor time for a
  /// moment, `media` forwards nothing until the gateway's next call. The run fails, because clients
  /// never receive the dropped packets.
  func throughput(of instances: Int) async throws -> Throughput {
    for _ in 0..<2 {
      do { return try await forward(by: instances) } catch BenchError.ended(let program) {
        say("\(program) ended: once more")
      }
    }
    return try await forward(by: instances)
  }

  private func forward(by instances: Int) async throws -> Throughput {
    try await hold(instances, []) { crowds, processes in
      try Crowd.fan(crowds, events: Self.packets / 10, window: Self.window)
      return try Throughput(
        of: Self.meetings * Self.packets * Self.receivers, by: processes,
        for: crowds.map(\.processID)
      ) { try Crowd.fan(crowds, events: Self.packets, window: Self.window) }
    }
  }

  /// Starts the instances recursively, each with its share of the meetings.
  private func hold(
    _ instances: Int, _ others: [(crowds: [Crowd], process: Int)],
    _ body: ([Crowd], [Int]) throws -> Throughput
  ) async throws -> Throughput {
    guard instances > others.count else {
      return try body(others.flatMap(\.crowds), others.map(\.process))
    }
    return try await MediaProcess.hold { media in
      var sessions: [[MediaProcess.Session]] = []
      for _ in 0..<Self.meetings / instances {
        sessions.append(try await media.admit(Self.receivers + 1, to: .random()))
      }
      return try await VideoTilesStub.decide(for: sessions.flatMap(\.self), in: media.directory) {
        var crowds: [Crowd] = []
        defer { for crowd in crowds { crowd.end() } }
        for meeting in sessions { crowds.append(try Crowd.video(options, of: media, meeting)) }
        return try await hold(
          instances, others + [(crowds, try media.processID)], body)
      }
    }
  }
}
