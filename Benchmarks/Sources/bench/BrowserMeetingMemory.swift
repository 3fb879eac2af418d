import MeetingModel

/// Measures the memory of `media` in a meeting of 25 browsers that send cameras and 25 browsers
/// that receive all cameras, with SRTP in both directions.
///
/// Each camera sends 15 frames per second. A frame has four packets of 1,200 bytes, and every 60th
/// frame is a key frame of 20 packets. This is 614 kbit/s. For comparison, the benchmark reads the
/// memory before the cameras start.
struct BrowserMeetingMemory: Benchmark {
  let options: MeasurementOptions
  let name = "webrtc.forward.25x25.memory"

  /// The numbers of browsers that send, and of browsers that receive.
  private static let (cameras, receivers) = (25, 25)

  /// How long the cameras send. During this time, the buffers for retransmissions become full.
  private static let time = Duration.seconds(8)

  func measure() async throws -> [BenchmarkRow] {
    var samples: [BenchmarkRow.RoundValues] = []
    for _ in 0..<options.rounds { samples.append(try await memory()) }
    return [
      BenchmarkRow(name: name, unit: "MB", peer: "before-the-cameras", samples: samples)
    ]
  }

  private func memory() async throws -> BenchmarkRow.RoundValues {
    try await MediaProcess.hold { media in
      let sessions = try await media.admit(Self.cameras + Self.receivers, to: .random())
      return try await VideoTilesStub.decide(
        for: sessions, cameras: Self.cameras, in: media.directory
      ) {
        try await CameraMeeting.hold { meeting in
          try await join(sessions, of: media, meeting)
          let before = try media.memory()
          try await meeting.film(for: Self.time)
          return .init(value: try media.memory() / 1_000, peerValue: before / 1_000)
        }
      }
    }
  }

  private func join(
    _ sessions: [MediaProcess.Session], of media: MediaProcess, _ meeting: CameraMeeting
  ) async throws {
    let cameras = 0..<UInt32(Self.cameras)
    for (camera, session) in zip(cameras, sessions) {
      let offer = try await meeting.makeCamera()
      let layers = [VideoTilesStub.layer + camera]
      try await meeting.connect(try await media.answer(offer, of: session, layers: layers))
    }
    let tracks = cameras.map { VideoTilesStub.track + $0 }
    for session in sessions.dropFirst(Self.cameras) {
      let offer = try await meeting.makeReceiver(of: tracks.count)
      try await meeting.connect(try await media.answer(offer, of: session, tracks: tracks))
    }
    try await meeting.becomeReady()
  }
}
