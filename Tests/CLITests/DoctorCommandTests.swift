import Bus
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import CLI
@testable import LocalInstallation
@testable import Output

/// Tests of `carillon doctor` as a process, and of its requests to a gateway.
@Suite(.timeLimit(.minutes(5))) struct DoctorCommandTests {
  @Test func `carillon doctor fails without an installation and explains how to start one`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let run = try await carillon(["doctor"], in: directory)
      #expect(run.exit == .status(1))
      #expect(
        run.output.first == "FAILED  runtime-directory \(directory)/run: it does not exist")
      #expect(run.output[1].hasPrefix("        to do: start the services with `carillon up`"))
      #expect(run.output.last == "9 checks, 1 failed")
    }
  }

  @Test func `the last line of carillon doctor's JSON output is a summary`() async throws {
    try await withTemporaryDirectory { directory in
      let run = try await carillon(["doctor", "--output", "json"], in: directory)
      #expect(run.exit == .status(1))
      #expect(
        run.output.last == #"{"check": "summary", "ok": false, "checks": 9, "failed": 1}"#)
      #expect(run.output.dropFirst().dropLast().allSatisfy { $0.contains(#""skipped": true"#) })
    }
  }

  @Test func `carillon doctor lists the engines with their languages`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.listTranscriptionEngines,
        reply: V1.ListEnginesReply(engines: [
          V1.AttachedEngine(
            engineID: "one",
            capabilities: V1.EngineCapabilities(languages: [
              V1.EngineLanguage(languageCode: "en-US"), V1.EngineLanguage(languageCode: "de-DE"),
            ])), V1.AttachedEngine(engineID: "two"),
        ]))
      let finding = await Doctor(directory: "\(operators.directory)/run").engines()
      #expect(finding == Finding(.engines, "gateway-a", .ok("one (en-US de-DE), two ()")))
    }
  }

  @Test func `a missing engine is not a failure`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.listTranscriptionEngines, reply: V1.ListEnginesReply())
      let finding = await Doctor(directory: "\(operators.directory)/run").engines()
      #expect(!finding.isFailed && !finding.isOK)
      #expect(finding.record["message"]?.text.hasPrefix("no engine is attached") == true)
    }
  }

  @Test func `carillon doctor skips the engines if the gateway does not list them`() async throws {
    try await withScriptedOperator { operators in
      let finding = await Doctor(directory: "\(operators.directory)/run").engines()
      #expect(
        finding.outcome == .skipped("the gateway does not answer; see the other findings"))
    }
  }

  @Test func `if the round trip fails, carillon doctor reports the step that failed`() async throws
  {
    try await withScriptedOperator { operators in
      operators.on(V1.OperatorMethods.createMeeting) { _ in
        .failure(Status(.resourceExhausted, "No more meetings."))
      }
      let finding = await Doctor(directory: "\(operators.directory)/run").roundTrip()
      #expect(
        finding.record["message"]
          == "creating a meeting: RESOURCE_EXHAUSTED: No more meetings.")
    }
  }

  @Test func `a failed round trip deletes the meeting that it created`() async throws {
    try await withScriptedOperator { operators in
      let created = operators.on(
        V1.OperatorMethods.createMeeting, reply: V1.MeetingRecord(meetingID: "m-7"))
      let deleted = operators.on(
        V1.OperatorMethods.deleteMeeting, reply: V1.DeleteMeetingReply())
      operators.on(V1.OperatorMethods.createAttendee) { _ in
        .failure(Status(.unavailable, "Presence is away."))
      }
      let finding = await Doctor(directory: "\(operators.directory)/run").roundTrip()
      #expect(
        finding.record["message"] == "creating attendees: UNAVAILABLE: Presence is away.")
      #expect(created.entries.map(\.maxAttendees) == [2])
      #expect(deleted.entries.map(\.meetingID) == ["m-7"])
    }
  }
}
