import ArgumentParser
import Foundation
import TestSupport
import Testing
import Trials

@testable import CLI
@testable import LocalInstallation
@testable import Output
@testable import CarillonProgram

/// `carillon load`: what it counts, and the command before the services of an installation.
@Suite(.timeLimit(.minutes(3))) struct LoadTests {
  @Test func `what was sent and did not come is lost, what was refused is not`() {
    let tally = LoadTally()
    for client in 0..<3 { tally.begins(client) }
    tally.joined(0)
    tally.joined(1)
    tally.ended(2)
    let (kept, refused) = (tally.sends(), tally.sends())
    tally.refused(refused)
    tally.delivered(kept)
    tally.delivered(refused)
    tally.delivered(99)
    let report = tally.report(receivers: 2)
    #expect((report.joined, report.failed) == (2, 1))
    #expect((report.sent, report.refused) == (1, 1))
    #expect((report.expected, report.delivered) == (2, 1))
    #expect(report.record["deliveries_lost"] == 1)
  }

  @Test(arguments: [([], nil, nil), ([7], 7, 7), (Array(1...100), 50, 99), ([2, 1], 1, 2)])
  func `percentiles are times that there were`(times: [Int], p50: Int?, p99: Int?) {
    let percentiles = Percentiles(of: times.map { .milliseconds($0) })
    #expect(percentiles.p50 == p50.map { .milliseconds($0) })
    #expect(percentiles.p99 == p99.map { .milliseconds($0) })
  }

  @Test func `of sound and pictures counts who gets least, and nobody's own`() {
    let cast = LoadCast(talkers: 1, cameras: 2)
    #expect((0..<12).allSatisfy(cast.hasMedia))
    #expect(!cast.hasMedia(12))
    #expect(!LoadCast().hasMedia(0))
    let counts: [Int: MediaTally.Counts] = [
      // It speaks alone and hears nobody; it sees the other camera.
      0: .init(pieces: 100, spoken: 0, frames: 30),
      1: .init(pieces: 100, spoken: 99, frames: 30),
      2: .init(pieces: 100, spoken: 97, frames: 60),
    ]
    let media = LoadReport.Media(counts, of: cast, seconds: 2)
    #expect((media?.heardPercent, media?.framesPerSecond) == (97, 15))
    #expect(LoadReport.Media([:], of: cast, seconds: 2) == nil)
  }

  @Test(arguments: [
    ["--talkers", "21"], ["--cameras", "26"], ["--attendees", "2", "--talkers", "3"],
    ["--attendees", "1"], ["--messages", "fast"], ["--messages", "1001/s"], ["--for", "0s"],
  ])
  func `a load that makes no sense is refused`(words: [String]) {
    #expect(throws: (any Error).self) { try CarillonCommand.parseAsRoot(["load"] + words) }
  }

  @Test
  func `clients join a running installation, and get each other's messages, sound and pictures`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let house = try await RunningCommand.start(
        ["up", "--rest-port", "0", "--data-dir", "\(directory)/data"], in: directory)
      defer { house.child.signal(SIGKILL) }
      try await house.says("ready ")
      let run = try await carillon(
        [
          "load", "--attendees", "4", "--talkers", "1", "--cameras", "1", "--messages", "10/s",
          "--for", "3s", "--output", "json",
        ],
        in: directory)
      #expect(run.exit == .status(0), "\(run.errors)")
      let line = try #require(run.output.first)
      #expect(line.hasPrefix(#"{"joined": 4, "failed": 0, "#))
      #expect(line.contains(#""messages_sent": 30, "messages_refused": 0, "deliveries": 90, "#))
      #expect(line.contains(#""instance": "gateway-a""#))
      let figure = { (name: String) -> Int? in
        line.split(separator: "\"\(name)\": ").dropFirst().first.flatMap {
          Int($0.prefix(while: \.isNumber))
        }
      }
      #expect(figure("heard_percent").map { $0 > 50 } == true)
      #expect(figure("frames_per_second").map { $0 > 3 } == true)
      let meetings = try await carillon(["meeting", "list", "--output", "json"], in: directory)
      #expect(meetings.output == [])
      house.child.signal(SIGTERM)
      #expect(await house.end().exit == .status(0))
    }
  }
}
