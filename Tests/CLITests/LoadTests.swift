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

  @Test(arguments: [
    ["--attendees", "1"], ["--messages", "fast"], ["--messages", "1001/s"], ["--for", "0s"],
  ])
  func `a load that makes no sense is refused`(words: [String]) {
    #expect(throws: (any Error).self) { try CarillonCommand.parseAsRoot(["load"] + words) }
  }

  @Test func `clients join a running installation, and get each other's messages`() async throws {
    try await withTemporaryDirectory { directory in
      let house = try await RunningCommand.start(
        ["up", "--rest-port", "0", "--data-dir", "\(directory)/data"], in: directory)
      defer { house.child.signal(SIGKILL) }
      try await house.says("ready ")
      let run = try await carillon(
        ["load", "--attendees", "4", "--messages", "10/s", "--for", "1s", "--output", "json"],
        in: directory)
      #expect(run.exit == .status(0), "\(run.errors)")
      let line = try #require(run.output.first)
      #expect(line.hasPrefix(#"{"joined": 4, "failed": 0, "#))
      #expect(line.contains(#""messages_sent": 10, "messages_refused": 0, "deliveries": 30, "#))
      #expect(line.contains(#""instance": "gateway-a""#))
      let meetings = try await carillon(["meeting", "list", "--output", "json"], in: directory)
      #expect(meetings.output == [])
      house.child.signal(SIGTERM)
      #expect(await house.end().exit == .status(0))
    }
  }
}
