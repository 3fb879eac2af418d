import Foundation
import MeetingModel
import TestSupport
import Trials

/// How long a sound takes from mouth to ear, without the jitter buffer: the time from sending the
/// packet in which it becomes loud to getting the first mix in which it is, less what is left in
/// the speaker's jitter buffer when a mix is made.
///
/// What remains is the way to media, the wait for the next mix (0–20 ms, as mixes leave every
/// 20 ms), decoding, mixing, encoding, and the way from media. Five meetings of a speaker and a
/// listener speak at even distances within the 20 ms, so that every wait is seen. The peer, a bare
/// ROUTER, passes the packets on as they come: what is left there are the two ways.
struct AudioLatency: Benchmark {
  let options: Options
  let name = "audio.latency"

  private static let meetings = 5
  private static let marks = 20

  /// How long `Peers/crowd` talks until the buffers are filled, and for each mark.
  private static let warmUp = Duration.milliseconds(1_500)
  private static let each = Duration.milliseconds(500)

  func measure() async throws -> [Row] {
    var rounds: [(ours: [Double], bare: [Double])] = []
    for _ in 0..<options.rounds {
      rounds.append((ours: try await media(), bare: try await router()))
    }
    return [(".p50", 0.5), (".p99", 0.99)].map { suffix, share in
      Row(
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
