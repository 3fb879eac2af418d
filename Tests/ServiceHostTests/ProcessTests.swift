import Foundation
import Testing

@testable import ServiceHost

/// Tests of whole processes. Each test runs the example's `main` in a child.
@Suite(.timeLimit(.minutes(5))) struct ProcessTests {
  /// Returns the JSON objects that a child wrote to standard error, one for each line.
  private func entries(_ result: ExitTest.Result?) throws -> [[String: String]] {
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    return text.split(separator: "\n").compactMap { line in
      try? JSONDecoder().decode([String: String].self, from: Data(line.utf8))
    }
  }

  @Test func `after a signal, a process drains and exits with status 0`() async throws {
    try await withTemporaryDirectory { directory async throws in
      let result = await #expect(
        processExitsWith: .exitCode(0), observing: [\.standardErrorContent]
      ) { [directory = directory as String] in
        setenv("CARILLON_LOG_FORMAT", "json", 1)
        setenv("CARILLON_MAX_ATTENDEES", "300", 1)
        await ExampleTilesCommand.main(
          ["--runtime-dir", directory, "--instance", "tiles-7", "--health-port", "0"])
      }
      let entries = try entries(result)
      let start = try #require(entries.first { $0["message"] == "Starting" })
      #expect(start["config.max-attendees"] == "300")
      #expect(start["config.runtime-dir"] == directory)
      #expect(start["service.instance"] == "tiles-7")
      #expect(start["level"] == "notice")
      #expect(entries.contains { $0["message"] == "Draining" && $0["signal"] == "15" })
      #expect(entries.last?["message"] == "Stopped")
      #expect(!FileManager.default.fileExists(atPath: "\(directory)/tiles-7.http.sock"))
      #expect(try mode(of: "\(directory)/tiles-7.http.lock") == 0o600)
    }
  }

  @Test func `a second signal ends the process with status 128 plus the signal's number`()
    async throws
  {
    try await withTemporaryDirectory { directory async throws in
      await #expect(processExitsWith: .exitCode(143)) { [directory = directory as String] in
        await ExampleTilesCommand.main(
          ["--runtime-dir", directory, "--behaviour", "stopTwice"])
      }
    }
  }

  @Test func `a drain that takes too long ends the process with status 70`() async throws {
    try await withTemporaryDirectory { directory async throws in
      await #expect(processExitsWith: .exitCode(70)) { [directory = directory as String] in
        await ExampleTilesCommand.main(
          ["--runtime-dir", directory, "--behaviour", "outstayDrain", "--drain-seconds", "0"])
      }
    }
  }

  @Test(
    arguments: [
      ("fail", 70), ("endUnasked", 70), ("refuseConfiguration", 78), ("nonsense", 64),
    ] as [(String, Int32)])
  func `each kind of failure ends the process with its own status`(behaviour: String, status: Int32)
    async throws
  {
    try await withTemporaryDirectory { directory async throws in
      let result = await #expect(processExitsWith: .failure, observing: [\.exitStatus]) {
        [directory = directory as String, behaviour = behaviour as String] in
        await ExampleTilesCommand.main(
          ["--runtime-dir", directory, "--behaviour", behaviour])
      }
      #expect(result?.exitStatus == .exitCode(status))
    }
  }

  @Test func `the check of a valid configuration succeeds and creates no directory`() async throws {
    try await withTemporaryDirectory { directory async throws in
      let result = await #expect(
        processExitsWith: .exitCode(0), observing: [\.standardOutputContent]
      ) { [directory = directory as String] in
        await ExampleTilesCommand.main(
          ["--check-configuration", "--runtime-dir", "\(directory)/run"])
      }
      let text = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
      #expect(text.contains("example-tiles: flags and environment are right"))
      #expect(!FileManager.default.fileExists(atPath: "\(directory)/run"))
    }
  }

  @Test func `the check of an invalid configuration exits with status 78`() async {
    await #expect(processExitsWith: .exitCode(78)) {
      setenv("CARILLON_DRAIN_SECONDS", "9999", 1)
      await ExampleTilesCommand.main(["--check-configuration"])
    }
  }

  @Test(arguments: [[], ["--check-configuration"]])
  func `the start and the check refuse a runtime directory with too long a name`(
    flags: [String]
  ) async throws {
    try await withTemporaryDirectory { directory async throws in
      let result = await #expect(
        processExitsWith: .exitCode(78), observing: [\.standardErrorContent]
      ) { [directory = directory as String, flags = flags as [String]] in
        let long = directory + "/" + String(repeating: "d", count: 100)
        await ExampleTilesCommand.main(flags + ["--runtime-dir", long])
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("is too long for Unix sockets"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
    }
  }

  @Test
  func `a misspelt variable ends the start with status 78 and a suggestion of the right name`()
    async throws
  {
    let result = await #expect(
      processExitsWith: .exitCode(78), observing: [\.standardErrorContent]
    ) {
      setenv("CARILLON_MAX_ATENDEES", "300", 1)
      await ExampleTilesCommand.main([])
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("did you mean CARILLON_MAX_ATTENDEES?"))
  }

  @Test func `a second process of the same instance exits with status 75`() async throws {
    try await withTemporaryDirectory { directory async throws in
      let lock = try InstanceLock(
        at: "\(directory)/example-tiles-a.http.lock", instance: "example-tiles-a")
      let result = await #expect(
        processExitsWith: .exitCode(75), observing: [\.standardErrorContent]
      ) { [directory = directory as String] in
        await ExampleTilesCommand.main(["--runtime-dir", directory, "--log-format", "json"])
      }
      lock.release()
      let entry = try #require(try entries(result).last)
      #expect(entry["message"] == "Cannot start")
      #expect(entry["error"]?.contains("Another process runs as example-tiles-a") == true)
    }
  }

  @Test func `the help option writes to standard output and exits with status 0`() async throws {
    let result = await #expect(
      processExitsWith: .exitCode(0), observing: [\.standardOutputContent]
    ) { await ExampleTilesCommand.main(["--help"]) }
    let text = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    #expect(text.contains("--drain-seconds"))
  }
}
