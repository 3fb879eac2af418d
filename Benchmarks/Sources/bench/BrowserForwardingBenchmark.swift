import MeetingModel
import Wire
import ZeroMQ

/// Measures the forwarding of packets of 1,200 bytes from one browser's camera to other browsers,
/// with SRTP in both directions. For comparison, the benchmark measures two servers with the same
/// browsers: a bare forwarder in C, and the VideoRoom of Janus.
///
/// The publisher sends each frame after all receivers have received the previous frame. The
/// benchmark counts delivered packets per second of the server's processor time, for key frames of
/// 30 packets, other frames of 4 packets, and frames of a single packet.
struct BrowserForwardingBenchmark: Benchmark {
  let options: MeasurementOptions
  let name = "webrtc.forward"

  var names: [String] { Self.cases.map { "\(name).\($0.name)" } }

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
    let cases = Self.cases.filter { options.wants("\(name).\($0.name)") }
    var besideBare: [[BenchmarkRow.RoundValues]] = cases.map { _ in [] }
    var besideJanus = besideBare
    for _ in 0..<options.rounds {
      for (index, each) in cases.enumerated() {
        let ours = try await carillon(each)
        besideBare[index].append(.init(value: ours, peerValue: try await bare(each)))
        guard JanusServer.isInstalled else { continue }
        besideJanus[index].append(.init(value: ours, peerValue: try await janus(each)))
      }
    }
    return rows(of: cases, "srtp_forward", .ratioAtLeast(0.8), besideBare)
      + rows(of: cases, "janus", .ratioAtLeast(1.5), besideJanus)
  }

  /// Returns the rows that compare Carillon with one peer. There are no rows for a peer that the
  /// benchmark has not measured.
  private func rows(
    of cases: [Case], _ peer: String, _ bar: PassThreshold, _ samples: [[BenchmarkRow.RoundValues]]
  ) -> [BenchmarkRow] {
    zip(cases, samples).filter { !$1.isEmpty }.map { each, samples in
      BenchmarkRow(
        name: "\(name).\(each.name)", unit: "packets/s and core", peer: peer, samples: samples,
        bar: bar)
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

  private func bare(_ each: Case) async throws -> Double {
    try await VideoMeeting.hold { meeting in
      let addresses = try await meeting.makePeers(receivers: each.receivers)
      let camera = BareForwarder.Participant(at: addresses.publisher)
      let receivers = addresses.receivers.map(BareForwarder.Participant.init(at:))
      return try await BareForwarder.hold(in: options.peers, from: camera, to: receivers) {
        server in
        try await meeting.connectPeers(
          to: server.address, with: ([camera] + receivers).compactMap(\.key))
        return try await Self.measure(each, meeting, at: server)
      }
    }
  }

  private func janus(_ each: Case) async throws -> Double {
    try await JanusServer.hold(.videoRoom) { server in
      let room = JanusVideoRoom(server)
      return try await VideoMeeting.hold { meeting in
        let offer = try await meeting.makePublisher()
        let publication = try await room.publish(offer)
        try await meeting.connectPublisher(publication.answer)
        try await meeting.becomeReady()
        try await room.waitUntilConnected(publication)
        for _ in 0..<each.receivers {
          let subscription = try await room.subscribe(to: publication)
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
