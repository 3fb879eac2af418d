import Bus
import Foundation
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import LocalInstallation

/// Tests of commands when the installation refuses a request, is missing, or does not know a
/// command.
@Suite(.timeLimit(.minutes(5))) struct RefusalTests {
  @Test(
    arguments: [
      (.notFound, "NOT_FOUND", 1), (.invalidArgument, "INVALID_ARGUMENT", 1),
      (.alreadyExists, "ALREADY_EXISTS", 1), (.failedPrecondition, "FAILED_PRECONDITION", 1),
      (.resourceExhausted, "RESOURCE_EXHAUSTED", 1), (.aborted, "ABORTED", 1),
      (.permissionDenied, "PERMISSION_DENIED", 1), (.internalError, "INTERNAL", 1),
      (.unavailable, "UNAVAILABLE", 69), (.deadlineExceeded, "DEADLINE_EXCEEDED", 69),
    ] as [(StatusCode, String, Int32)])
  func `a refusal is reported in the gateway's words, with the exit status for the refusal's code`(
    code: StatusCode, name: String, exit: Int32
  ) async throws {
    try await withScriptedOperator { operators in
      operators.on(V1.OperatorMethods.getMeeting) { _ in
        .failure(Status(code, "The meeting is elsewhere."))
      }
      let text = try await operators.run("meeting", "show", "m-1")
      #expect(text.exit == .status(exit))
      #expect(text.output == [])
      #expect(text.errors == ["carillon: \(name): The meeting is elsewhere."])
      let json = try await operators.run("meeting", "show", "m-1", "--output", "json")
      #expect(json.exit == .status(exit))
      #expect(json.output == [])
      #expect(
        json.errors == [#"{"error": "\#(name)", "message": "The meeting is elsewhere."}"#])
    }
  }

  /// Every command that needs a gateway, with its shortest arguments.
  private static let commands = [
    ["meeting", "create"], ["meeting", "show", "m"], ["meeting", "list"],
    ["meeting", "delete", "m"], ["meeting", "messages", "m"],
    ["attendee", "create", "m", "--user", "ada"], ["attendee", "list", "m"],
    ["attendee", "delete", "m", "a"], ["attendee", "mute", "m", "a"], ["roster", "m"],
    ["services"], ["limits"], ["tiles", "m"], ["tiles", "m", "--once"], ["join", "m"],
    ["send", "m", "hi", "--topic", "t"], ["tail", "m", "--topic", "t"], ["promote", "m"],
    ["transcript", "start", "m"], ["transcript", "stop", "m"], ["transcript", "status", "m"],
    ["transcript", "engines"], ["transcript", "language", "m", "a"], ["transcript", "follow", "m"],
  ]

  @Test(arguments: commands)
  func `a command that finds no gateway exits with 69 and explains how to start one`(
    words: [String]
  ) async throws {
    try await withTemporaryDirectory { directory in
      let run = try await carillon(words, in: directory)
      #expect(run.exit == .status(69))
      #expect(run.output == [])
      #expect(
        run.errors == [
          "carillon: UNAVAILABLE: No gateway runs in \(directory)/run; start one with "
            + "`carillon up`, or name its directory with --runtime-dir."
        ])
    }
  }

  @Test func `a method that the gateway does not know causes an UNIMPLEMENTED failure`()
    async throws
  {
    try await withScriptedOperator { operators in
      let run = try await operators.run("limits")
      #expect(run.exit == .status(1))
      #expect(run.errors.joined().hasPrefix("carillon: UNIMPLEMENTED: "))
    }
  }

  @Test func `the flag --runtime-dir overrides the environment`() async throws {
    try await withScriptedOperator { operators in
      let asked = operators.on(V1.OperatorMethods.getLimits, reply: V1.Limits())
      let directory = operators.directory
      let wrong = try await carillon(["limits"], in: "\(directory)/nowhere")
      #expect(wrong.exit == .status(69))
      let right = try await carillon(
        ["limits", "--runtime-dir", "\(directory)/run"], in: "\(directory)/nowhere")
      #expect(right.exit == .status(0))
      #expect(asked.count == 1)
    }
  }

  @Test func `a relative directory is resolved against the working directory`() async throws {
    try await withTemporaryDirectory { directory in
      let run = try await carillon(["limits", "--runtime-dir", "run-of-nobody/"], in: directory)
      #expect(run.exit == .status(69))
      #expect(run.errors.joined().contains("/run-of-nobody; start one"))
      #expect(run.errors.joined().contains("No gateway runs in /"))
    }
  }

  @Test func `the client sends no request to a withdrawn gateway`() async throws {
    try await withTemporaryDirectory { directory in
      try FileManager.default.createDirectory(
        atPath: "\(directory)/run", withIntermediateDirectories: true)
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: "\(directory)/run")
      let registration = try registry.register(
        InstanceAnnouncement(
          service: "gateway", instance: "gateway-a",
          endpoints: ["operator": "ipc:///nowhere", "client": "ipc:///nowhere"]))
      registration.withdraw()
      let run = try await carillon(["services"], in: directory)
      #expect(run.exit == .status(69))
      #expect(run.errors.joined().contains("No gateway runs"))
    }
  }

  @Test(
    arguments: [
      (["nonsense"], "Unexpected argument 'nonsense'"), (["meeting", "show"], "Missing expected"),
      (["roster", "m", "--output", "xml"], "The value 'xml' is invalid"),
      (["meeting", "create", "--max-attendees", "0"], "--max-attendees must be at least 1."),
      (["attendee", "create", "m"], "Missing expected argument '--user <user>'"),
      (["health", "--timeout-seconds", "61"], "--timeout-seconds must be 1-60; got 61."),
      (["up", "--drain-seconds", "3601"], "--drain-seconds must be 0-3600; got 3601."),
    ])
  func `for a wrong command line, the program exits with 64 and shows the usage`(
    words: [String], message: String
  ) async throws {
    try await withTemporaryDirectory { directory in
      let run = try await carillon(words, in: directory)
      #expect(run.exit == .status(64))
      #expect(run.output == [])
      #expect(run.errors.first?.contains(message) == true, "\(run.errors)")
      #expect(run.errors.contains { $0.hasPrefix("Usage: carillon") })
    }
  }

  @Test(arguments: [[], ["--help"], ["meeting", "--help"], ["send", "-h"], ["help", "tiles"]])
  func `help goes to standard output and is not a failure`(words: [String]) async throws {
    try await withTemporaryDirectory { directory in
      let run = try await carillon(words, in: directory)
      #expect(run.exit == .status(0))
      #expect(run.errors == [])
      #expect(run.output.contains { $0.hasPrefix("USAGE: carillon") })
    }
  }
}
