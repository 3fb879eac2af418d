import Foundation
import MeetingModel
import TestSupport
import Trials

/// Measures mouth-to-ear latency without the jitter buffer. The time begins when the speaker sends
/// the packet in which a sound becomes loud. The time ends when the first mix with this sound
/// arrives. The benchmark subtracts the depth of the speaker's jitter buffer at the time of this
/// mix.
///
/// The latency includes the path to media, the wait for the next mix (0–20 ms, because mixes leave
/// every 20 ms), decoding, mixing, encoding, and the path from media. There are five meetings, each
/// with one speaker and one listener. The speakers start at evenly spaced offsets within the 20 ms
/// between two mixes, so that the benchmark samples all waits. The peer, a bare ROUTER, forwards
/// packets immediately, so the peer's latency consists only of the two paths.
struct AudioLatency: Benchmark {
  let options: MeasurementOptions
  let name = "audio.latency"

  private static let meetings = 5
  private static let marks = 20

  /// How long `Peers/crowd` talks before the first mark, so that the jitter buffers are full. A
  /// mark is a packet in which the sound becomes loud.
  private static let warmUp = Duration.milliseconds(1_500)

  /// The interval between two marks. `Peers/crowd` uses the same interval.
  private static let each = Duration.milliseconds(500)

  func measure() async throws -> [BenchmarkRow] {
    var rounds: [(ours: [Double], bare: [Double])] = []
    for _ in 0..<options.rounds {
      rounds.append((ours: try await media(), bare: try await router()))
    }
    return [(".p50", 0.5), (".p99", 0.99)].map { suffix, share in
      BenchmarkRow(
        name: name + suffix, unit: "µs", peer: "libzmq-router",
        samples: rounds.map {
          .init(value: percentile($0.ours, share), peerValue: percentile($0.bare, share))
        })
    }
  }

  private func media() async throws -> [Double] {
    try await MediaProcess.hold { media in
      let meetings = (0..<Self.meetings).map { _ in MeetingID.random() }
      var sessions: [MediaProcess.Session] = []
      for meeting in meetings { sessions += try await media.admit(2, to: meeting) }
      let crowd = try Crowd.audio(options, of: media, sessions)
      defer { crowd.end() }
      let looking = Task {
        try await Task.sleep(for: Self.warmUp)
        return try await media.leastDepths(of: meetings, times: Self.marks, each: Self.each)
      }
      await leaveActors()
      let took = try crowd.talk(marks: Self.marks)
      let depths = try await looking.value
      guard !depths.joined().contains(.infinity) else {
        throw BenchError.missing("How much waited in a jitter buffer")
      }
      return zip(took, depths.joined()).map { $0 - $1 }
    }
  }

  private func router() async throws -> [Double] {
    try await withTemporaryDirectory { directory in
      let port = try LocalSocket.freePort()
      let command = ["\(options.peers)/zmq_forward", "pairs", "tcp://127.0.0.1:\(port)"]
      return try await withPeers([("zmq_forward", command)], in: directory) { _ in
        let crowd = try Crowd.router(options, at: port, from: 0, 2 * Self.meetings)
        defer { crowd.end() }
        return try crowd.talk(marks: Self.marks)
      }
    }
  }
}
