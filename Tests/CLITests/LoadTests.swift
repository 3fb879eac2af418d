import ArgumentParser
import Foundation
import TestSupport
import Testing
import Trials

@testable import CLI
@testable import LocalInstallation
@testable import Output
@testable import CarillonProgram

/// Tests of the counters of `carillon load`, and of the whole command against a running
/// installation.
@Suite(.timeLimit(.minutes(5))) struct LoadTests {
  @Test func `a missing delivery counts as lost, but a refused message does not`() {
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

  @Test func `a client that does not join in time counts as failed and cannot join later`() {
    let tally = LoadTally()
    for client in 0..<3 { tally.begins(client) }
    tally.joined(0)
    #expect((tally.begun, tally.joining) == (3, 2))
    tally.giveUpJoining()
    tally.joined(1)
    let report = tally.report(receivers: 2)
    #expect((report.joined, report.failed, tally.joining) == (1, 2, 0))
  }

  @Test func `an instance's processor time comes from the instance's metrics on any host`() {
    let now = ContinuousClock.now
    func times(_ seconds: [String: Double], after elapsed: Duration) -> ProcessorTimes {
      ProcessorTimes(
        seconds.mapValues { MetricsReading("process_cpu_seconds_total \($0)") },
        at: now + elapsed)
    }
    let before = times(["media-a": 1, "gateway-a": 5], after: .zero)
    let after = times(["media-a": 3, "gateway-a": 5.2, "presence-b": 9], after: .seconds(4))
    #expect(
      after.usage(since: before, known: ["gateway-a", "messaging-c"]) == [
        ["instance": "gateway-a", "cpu_percent": 5],
        ["instance": "media-a", "cpu_percent": 50],
        ["instance": "messaging-c", "cpu_percent": .null],
        ["instance": "presence-b", "cpu_percent": .null],
      ])
  }

  @Test(
    arguments: [
      (["1": 1.0], ["1": 4.5, "2": 0.2], 2, 90),
      ([:], ["1": 3, "2": 3, "3": 3], 2, 100),
      (["1": 2, "9": 50], ["1": 3], 2, 25),
      (["1": 9], ["1": 1], 2, 0),
    ] as [([String: Double], [String: Double], Int, Int)])
  func `a process's load is that of its busiest thread or of all cores, whichever is higher`(
    before: [String: Double], after: [String: Double], cores: Int, percent: Int
  ) {
    let now = ContinuousClock.now
    let start = ThreadTimes(before, at: now)
    let end = ThreadTimes(after, at: now + .seconds(4))
    // In 4 s, a processor time of 3.5 s is 88 %. A processor time of 9 s exceeds the 8 s that two
    // cores have in 4 s.
    #expect(abs(end.busyPercent(since: start, cores: cores) - percent) <= 2)
    #expect(start.busyPercent(since: start, cores: cores) == 0)
  }

  @Test func `the thread times include the processor time of a busy thread`() throws {
    let start = ThreadTimes.read()
    let begin = clock()  // clock(3) returns microseconds of processor time.
    while clock() - begin < 200_000 {}
    #expect(ThreadTimes.read().busyPercent(since: start, cores: 1) > 0)
    #expect(ThreadTimes.seconds(in: "7 (a ) b) R 1 2 3 4 5 6 7 8 9 10 100 50 0") != nil)
    #expect(ThreadTimes.seconds(in: "7 nonsense") == nil)
  }

  @Test func `a busy load tool warns that the figures measure the tool and not the services`() {
    var report = LoadTally().report(receivers: 1)
    report.busyPercent = 89
    #expect(report.warning == nil)
    report.busyPercent = 98
    #expect(report.warning?.hasPrefix("this tool was busy 98 % of the time") == true)
    #expect(report.record["tool_busy_percent"] == 98)
  }

  @Test(arguments: [([], nil, nil), ([7], 7, 7), (Array(1...100), 50, 99), ([2, 1], 1, 2)])
  func `a percentile is always one of the measured values`(times: [Int], p50: Int?, p99: Int?) {
    let percentiles = Percentiles(of: times.map { .milliseconds($0) })
    #expect(percentiles.p50 == p50.map { .milliseconds($0) })
    #expect(percentiles.p99 == p99.map { .milliseconds($0) })
  }

  @Test func `the media report shows the client that receives the least from other clients`() {
    let cast = LoadMediaPlan(talkers: 1, cameras: 2)
    #expect((0..<12).allSatisfy(cast.hasMedia))
    #expect(!cast.hasMedia(12))
    #expect(!LoadMediaPlan().hasMedia(0))
    let counts: [Int: MediaTally.Counts] = [
      // This client is the only speaker, so it hears no other client. This client sees the camera
      // of the other client.
      0: .init(pieces: 100, spoken: 0, frames: 30),
      1: .init(pieces: 100, spoken: 99, frames: 30),
      2: .init(pieces: 100, spoken: 97, frames: 60),
    ]
    let media = LoadTestReport.Media(counts, of: cast, seconds: 2)
    #expect((media?.heardPercent, media?.framesPerSecond) == (97, 15))
    #expect(LoadTestReport.Media([:], of: cast, seconds: 2) == nil)
  }

  @Test(arguments: [
    ["--talkers", "21"], ["--cameras", "26"], ["--attendees", "2", "--talkers", "3"],
    ["--attendees", "1"], ["--messages", "fast"], ["--messages", "1001/s"], ["--for", "0s"],
  ])
  func `carillon load refuses impossible settings`(words: [String]) {
    #expect(throws: (any Error).self) { try CarillonCommand.parseAsRoot(["load"] + words) }
  }

  @Test
  func
    `the clients of carillon load join a meeting, and exchange messages, sound and pictures`()
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
      #expect(figure("tool_busy_percent").map { $0 > 0 } == true)
      #expect(!line.contains(#""cpu_percent": null"#))
      let meetings = try await carillon(["meeting", "list", "--output", "json"], in: directory)
      #expect(meetings.output == [])
      house.child.signal(SIGTERM)
      #expect(await house.end().exit == .status(0))
    }
  }

  @Test
  func `by default, all clients of carillon load join, keep their connections and lose nothing`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let house = try await RunningCommand.start(
        ["up", "--rest-port", "0", "--data-dir", "\(directory)/data"], in: directory)
      defer { house.child.signal(SIGKILL) }
      try await house.says("ready ")
      let run = try await carillon(["load", "--for", "5s", "--output", "json"], in: directory)
      #expect(run.exit == .status(0), "\(run.output) \(run.errors)")
      let begin = #"{"joined": 200, "failed": 0, "reconnects": 0, "#
      #expect(run.output.first?.hasPrefix(begin) == true, "\(run.output)")
      #expect(run.output.first?.contains(#""deliveries": 19900, "deliveries_lost": 0, "#) == true)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `when carillon load is stopped, its clients leave and the measurements are printed`(
    signal: Int32
  ) async throws {
    try await withTemporaryDirectory { directory in
      let house = try await RunningCommand.start(
        ["up", "--rest-port", "0", "--data-dir", "\(directory)/data"], in: directory)
      defer { house.child.signal(SIGKILL) }
      try await house.says("ready ")
      let load = try await RunningCommand.start(
        ["load", "--attendees", "4", "--for", "3600s", "--output", "json"], in: directory)
      defer { load.child.signal(SIGKILL) }
      try await eventually("four to be present") {
        let meetings = try await carillon(["meeting", "list", "--output", "json"], in: directory)
        return meetings.output.first?.contains(#""present": 4"#) == true
      }
      load.child.signal(signal)
      let end = await load.end()
      #expect(end.exit == .status(0), "\(end.errors)")
      #expect(end.output.last?.hasPrefix(#"{"joined": 4, "failed": 0, "#) == true)
      let meetings = try await carillon(["meeting", "list", "--output", "json"], in: directory)
      #expect(meetings.output == [])
    }
  }
}
