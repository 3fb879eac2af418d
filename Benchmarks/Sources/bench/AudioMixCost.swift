import Foundation
import TestSupport

/// Measures media's processor time for the audio of a meeting, per participant and per 20 ms. The
/// operating system reports this time. For comparison, the benchmark measures libopus alone, which
/// decodes and encodes the same number of packets. If the mix contains everyone, as in Janus, the
/// benchmark also compares how many participants one core serves in Carillon and in Janus.
struct AudioMixCost: Benchmark {
  let options: MeasurementOptions
  let name = "audio.mix"

  /// A measured meeting.
  private struct Case {
    let name: String
    let participants: Int
    let speakers: Int

    /// The number of simultaneously audible participants.
    let heard: Int

    /// The largest processor time that meets the goal of the row, in microseconds.
    let most: Double
  }

  private static let cases = [
    Case(name: "all_speaking.20", participants: 20, speakers: 20, heard: 5, most: 100),
    Case(name: "all_speaking.50", participants: 50, speakers: 50, heard: 5, most: 80),
    Case(name: "everyone_heard.20", participants: 20, speakers: 20, heard: 20, most: 250),
    Case(name: "3_of_50", participants: 50, speakers: 3, heard: 5, most: 40),
  ]

  private static let seconds = 5

  func measure() async throws -> [BenchmarkRow] {
    var samples: [[BenchmarkRow.RoundValues]] = Self.cases.map { _ in [] }
    var carried: [BenchmarkRow.RoundValues] = []
    let hasJanus = JanusServer.isInstalled
    if !hasJanus { say("janus is not installed (apt-get install janus): its row is left out") }
    for _ in 0..<options.rounds {
      for (index, each) in Self.cases.enumerated() {
        let ours = try await AudioMeeting.microsecondsPerTick(
          participants: each.participants, speakers: each.speakers, heard: each.heard,
          for: .seconds(Self.seconds), packets: "\(options.peers)/voice.opus-packets")
        let mixed = min(each.speakers, each.heard)
        let alone = try opusAlone(decodes: mixed, encodes: mixed + 1)
        let share = Double(each.participants)
        samples[index].append(.init(value: ours / share, peerValue: alone / share))
        guard hasJanus, each.name == Self.besideJanus else { continue }
        let janus = try await JanusAudioBridge.microsecondsPerTick(
          options, participants: each.participants, seconds: Self.seconds)
        carried.append(
          .init(value: Self.perCore(ours / share), peerValue: Self.perCore(janus / share)))
      }
    }
    let besideJanus = BenchmarkRow(
      name: "\(name).\(Self.besideJanus)", unit: "participants/core", peer: "janus",
      samples: carried, bar: .ratioAtLeast(1.15))
    return rows(samples) + (hasJanus ? [besideJanus] : [])
  }

  private static let besideJanus = "everyone_heard.20"

  /// Returns how many participants one core can serve. The argument is one participant's processor
  /// time per 20 ms.
  private static func perCore(_ microseconds: Double) -> Double { 20_000 / microseconds }

  private func rows(_ samples: [[BenchmarkRow.RoundValues]]) -> [BenchmarkRow] {
    zip(Self.cases, samples).map { each, samples in
      BenchmarkRow(
        name: "\(name).\(each.name)", unit: "µs", peer: "libopus", samples: samples,
        bar: .atMost(each.most))
    }
  }

  private func opusAlone(decodes: Int, encodes: Int) throws -> Double {
    let process = Process()
    process.executableURL = URL(filePath: "\(options.peers)/opus_alone")
    process.arguments = ["cost", "\(decodes)", "\(encodes)", "250"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard let value = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw BenchError.unreadable("opus_alone", answer: text)
    }
    return value
  }
}
