import MeetingModel
import Wire
import ZeroMQ

/// Measures the forwarding of packets of 1,200 bytes from one browser's camera to other browsers,
/// with SRTP in both directions. For comparison, the benchmark measures the VideoRoom of Janus with
/// the same browsers.
///
/// The publisher sends each frame after all receivers have received the previous frame. The
/// benchmark counts delivered packets per second of the server's processor time, for key frames of
/// 30 packets, other frames of 4 packets, and frames of a single packet.
struct BrowserForwardingBenchmark: Benchmark {
  let options: MeasurementOptions
  let name = "webrtc.forward"

  private struct Case {
    let receivers: Int

    /// The number of packets in a frame.
    let size: Int

    var name: String { "\(receivers).frames_of_\(size)" }
  }

  private static let cases = [10, 50].flatMap { receivers in
    [30, 4, 1].map { Case(receivers: receivers, size: $0) }
  }

  /// The number of packets that the server sends in each measurement.
  private static let packets = 150_000

  func measure() async throws -> [BenchmarkRow] {
    var samples: [[BenchmarkRow.RoundValues]] = Self.cases.map { _ in [] }
    let hasJanus = JanusServer.isInstalled
    for _ in 0..<options.rounds {
      for (index, each) in Self.cases.enumerated() {
        let ours = try await carillon(each)
        let janus = hasJanus ? try await janus(each) : nil
        samples[index].append(.init(value: ours, peerValue: janus))
      }
    }
    return zip(Self.cases, samples).map { each, samples in
      BenchmarkRow(
        name: "\(name).\(each.name)", unit: "packets/s and core", peer: hasJanus ? "janus" : nil,
        samples: samples, bar: hasJanus ? .ratioAtLeast(1.5) : nil)
    }
  }

  private func carillon(_ each: Case) async throws -> Double {
    try await MediaProcess.hold { media in
      let sessions = try await media.admit(each.receivers + 1, to: .random())
      return try await VideoTilesStub.decide(for: sessions, in: media.directory) {
        try await VideoMeeting.hold { meeting in
          try await Self.join(sessions, of: media, meeting)
          return try await Self.measure(each, meeting, at: media)
        }
      }
    }
  }

  private func janus(_ each: Case) async throws -> Double {
    try await JanusServer.hold(.videoRoom) { server in
      let room = JanusVideoRoom(server)
      return try await VideoMeeting.hold { meeting in
        let offer = try await meeting.makePublisher()
        let (feed, answer) = try await room.publish(offer)
        try await meeting.connectPublisher(answer)
        try await meeting.becomeReady()
        for _ in 0..<each.receivers {
          let subscription = try await room.subscribe(to: feed)
          let answer = try await meeting.makeReceiver(for: subscription.offer)
          try await room.start(subscription, answer)
        }
        return try await Self.measure(each, meeting, at: server)
      }
    }
  }

  private static func join(
    _ sessions: [MediaProcess.Session], of media: MediaProcess, _ meeting: VideoMeeting
  ) async throws {
    let offer = try await meeting.makePublisher()
    let answer = try await media.answer(offer, of: sessions[0], layers: [VideoTilesStub.layer])
    try await meeting.connectPublisher(answer)
    for session in sessions.dropFirst() {
      let offer = try await meeting.makeReceiver()
      let answer = try await media.answer(offer, of: session, tracks: [VideoTilesStub.track])
      try await meeting.connectReceiver(answer)
    }
  }

  /// Returns the delivered packets per second of the server's processor time.
  private static func measure(
    _ each: Case, _ meeting: VideoMeeting, at server: any AudioMeeting.Server
  ) async throws -> Double {
    try await meeting.begin()
    let frames = packets / (each.size * each.receivers)
    _ = try await meeting.forward(frames: frames / 10, of: each.size)
    let before = try server.used()
    let delivered = try await meeting.forward(frames: frames, of: each.size)
    return Double(delivered) / (try server.used() - before) * 1_000_000
  }
}
