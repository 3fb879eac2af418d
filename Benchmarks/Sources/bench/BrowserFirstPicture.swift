import TestSupport
import ZeroMQ

/// Measures how long a browser waits for the picture of a camera: the time from the SUBSCRIBE to
/// the first decoded picture.
///
/// All services of an installation run. One browser of the meeting sends a camera. Other browsers
/// join one after another. Each of them first connects for sound, and then subscribes to the
/// camera.
struct BrowserFirstPicture: Benchmark {
  let options: MeasurementOptions
  let name = "webrtc.first_picture"

  /// The number of browsers that subscribe, in each round.
  private static let viewers = 40

  func measure() async throws -> [BenchmarkRow] {
    var rounds: [[Double]] = []
    for _ in 0..<options.rounds { rounds.append(try await view()) }
    return [("p50", 0.5), ("p99", 0.99)].map { suffix, share in
      BenchmarkRow(
        name: "\(name).\(suffix)", unit: "ms", peer: nil,
        samples: rounds.map { .init(value: percentile($0, share)) })
    }
  }

  /// Returns how long each browser waited for the picture, in milliseconds.
  private func view() async throws -> [Double] {
    let raised = ["--keep-alive-ms", "10000"]
    return try await Installation.run(raised: raised, capacity: Self.viewers + 1) { installation in
      let attendees = try await installation.makeAttendees(Self.viewers + 1)
      let thread = SocketThread(name: "browsers")
      defer {
        thread.stop()
        thread.join()
      }
      let meeting = try PictureMeeting(at: installation.gateway, on: thread)
      do {
        try await meeting.begin(attendees[0])
        var times: [Double] = []
        for attendee in attendees.dropFirst() {
          times.append(try await meeting.view(attendee))
        }
        await meeting.end()
        return times
      } catch {
        await meeting.end()
        throw error
      }
    }
  }
}
