import Foundation
import TestSupport
import Testing
import Trials

@testable import LocalInstallation

/// Tests of `carillon trace` as a process, with the logs of an installation's services.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TraceProcessTests {
  /// Runs all services, lets an attendee join and leave, and passes the logs to `body`.
  private func withLogs(
    _ body: (_ log: String, _ attendee: String, _ directory: String) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let house = try await RunningCommand.start(
        ["up", "--rest-port", "0", "--data-dir", "\(directory)/data"], in: directory,
        environment: ["CARILLON_LOG_FORMAT": "json", "CARILLON_LOG_LEVEL": "debug"])
      defer { house.child.signal(SIGKILL) }
      try await house.says("ready ")
      let made = try await carillon(["meeting", "create", "--output", "json"], in: directory)
      let meeting = try #require(Self.value(of: "meeting_id", in: made.output))
      let visit = try await RunningCommand.start(
        ["join", meeting, "--output", "json"], in: directory)
      try await visit.says(#""event": "joined""#)
      visit.child.signal(SIGINT)
      let attendee = try #require(
        Self.value(of: "attendee_id", in: await visit.end().output))
      try await house.complains("The session left the board")
      house.child.signal(SIGTERM)
      let logs = await house.end().errors
      let path = "\(directory)/all.log"
      try (logs.joined(separator: "\n") + "\n").write(
        toFile: path, atomically: true, encoding: .utf8)
      try await body(path, attendee, directory)
    }
  }

  private static func shell(_ script: String, in directory: String) async throws -> CommandRun {
    let lines = AwaitableEntryList<ChildLine>()
    let child = try await ProcessSpawner().start(
      ChildCommand(
        "/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin", "HOME": directory]),
      takesInput: false
    ) { lines.append($0) }
    let exit = await child.exit
    return CommandRun(lines.entries, exit)
  }

  private static func value(of name: String, in lines: [String]) -> String? {
    for line in lines {
      guard let start = line.range(of: "\"\(name)\": \"")?.upperBound else { continue }
      return String(line[start...].prefix { $0 != "\"" })
    }
    return nil
  }

  @Test func `carillon trace shows in one trace what each service did for a session`()
    async throws
  {
    try await withLogs { log, attendee, directory in
      let run = try await carillon(
        ["trace", "--attendee", attendee, "--output", "json", log], in: directory)
      #expect(run.exit == .status(0), "\(run.errors)")
      for (service, step) in [
        ("gateway-a", "Opens a session"), ("presence-a", "Takes the session into the roster"),
        ("messaging-a", "The session reads the log"),
        ("video-tiles-a", "Put the session on the board"), ("gateway-a", "A session began"),
        ("media-a", "Let the session in"), ("gateway-a", "A session ended"),
        ("presence-a", "The session left the roster"),
      ] {
        #expect(
          run.output.contains {
            $0.contains(#""service": "\#(service)""#) && $0.contains(#""step": "\#(step)""#)
          }, "\(service): \(step), of \(run.output)")
      }
      let traces = Set(run.output.compactMap { Self.value(of: "trace", in: [$0]) })
      #expect(traces.count == 1)
      let times = run.output.compactMap { Self.value(of: "time", in: [$0]) }
      #expect(times == times.sorted())

      let piped = try await Self.shell(
        "cat '\(log)' | '\(try TestSupport.Installation.binaries())/carillon' trace"
          + " --attendee \(attendee) --output json", in: directory)
      #expect(Set(piped.output) == Set(run.output))
    }
  }

  @Test func `carillon trace reports logs that do not contain the attendee`() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/log"
      try "nothing here\n".write(toFile: path, atomically: true, encoding: .utf8)
      let words = ["trace", "--attendee", "4ddc5396-5641-41bd-8125-acbcb8c8e589"]
      let run = try await carillon(words + [path], in: directory)
      #expect(run.exit == .status(1))
      #expect(run.output == [])
      #expect(run.errors.first?.hasPrefix("carillon: NOT_FOUND: ") == true)
      let missing = try await carillon(words + ["\(directory)/none"], in: directory)
      #expect(
        missing.errors == [
          "carillon: FAILED_PRECONDITION: \(directory)/none cannot be read; "
            + "name a readable log file."
        ])
    }
  }
}
