import MeetingModel

/// Measures media's processor time for the audio of a meeting of browsers, per participant and per
/// 20 ms. The compared meeting is the same, but its clients use ZeroMQ. The benchmark also compares
/// how many participants one core serves in Carillon and in the AudioBridge of Janus, which mixes
/// everyone.
struct BrowserAudioMixCost: Benchmark {
  let options: MeasurementOptions
  let name = "webrtc.audio.mix"

  /// A measured meeting.
  private struct Case {
    let name: String
    let participants: Int
    let speakers: Int

    /// The number of simultaneously audible participants.
    let heard: Int
  }

  private static let cases = [
    Case(name: "all_speaking.20", participants: 20, speakers: 20, heard: 5),
    Case(name: "all_speaking.50", participants: 50, speakers: 50, heard: 5),
    Case(name: "everyone_heard.20", participants: 20, speakers: 20, heard: 20),
    Case(name: "1_of_50", participants: 50, speakers: 1, heard: 5),
  ]

  private static let time = Duration.seconds(5)

  func measure() async throws -> [BenchmarkRow] {
    var samples: [[BenchmarkRow.RoundValues]] = Self.cases.map { _ in [] }
    var carried: [[BenchmarkRow.RoundValues]] = Self.cases.map { _ in [] }
    let hasJanus = JanusServer.isInstalled
    if !hasJanus { say("janus is not installed (apt-get install janus): its rows are left out") }
    for _ in 0..<options.rounds {
      for (index, each) in Self.cases.enumerated() {
        let share = Double(each.participants)
        let ours = try await browsers(each) / share
        let zeroMQ =
          try await AudioMeeting.microsecondsPerTick(
            participants: each.participants, speakers: each.speakers, heard: each.heard,
            for: Self.time, packets: options.voice) / share
        samples[index].append(.init(value: ours, peerValue: zeroMQ))
        guard hasJanus else { continue }
        let janus = try await janus(each) / share
        carried[index].append(.init(value: 20_000 / ours, peerValue: 20_000 / janus))
      }
    }
    let besideZeroMQ = zip(Self.cases, samples).map { each, samples in
      BenchmarkRow(
        name: "\(name).\(each.name)", unit: "µs", peer: "zeromq", samples: samples,
        bar: .ratioAtMost(1.25))
    }
    let besideJanus = zip(Self.cases, carried).map { each, samples in
      BenchmarkRow(
        name: "\(name).\(each.name)", unit: "participants/core", peer: "janus",
        samples: samples, bar: .ratioAtLeast(1.5))
    }
    return besideZeroMQ + (hasJanus ? besideJanus : [])
  }

  private func janus(_ each: Case) async throws -> Double {
    try await JanusServer.hold(.audioBridge) { server in
      try await AudioMeeting.cost(
        of: .webRTC(JanusAudioBridge(server)), at: server, participants: each.participants,
        speakers: each.speakers, for: Self.time, packets: options.voice
      ).perTick
    }
  }

  private func browsers(_ each: Case) async throws -> Double {
    try await MediaProcess.hold(["--max-talkers", "\(each.heard)"]) { media in
      try await AudioMeeting.cost(
        of: .webRTC(BenchmarkBrowserMeeting(media)), at: media, participants: each.participants,
        speakers: each.speakers, for: Self.time, packets: options.voice
      ).perTick
    }
  }
}

/// A meeting of a ``MediaProcess`` whose participants are browsers.
struct BenchmarkBrowserMeeting: OfferAnswerer {
  private let media: MediaProcess
  private let meeting = MeetingID.random()

  init(_ media: MediaProcess) { self.media = media }

  func answer(_ offer: String) async throws -> String {
    try await media.answer(offer, of: try await media.admit(to: meeting))
  }
}
