import Bus
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import LocalInstallation

/// Tests of `carillon transcript` and its requests to a gateway. ``FollowingProcessTests`` tests
/// `carillon transcript follow`.
@Suite(.timeLimit(.minutes(5))) struct TranscriptCommandTests {
  @Test func `the command carillon transcript start sends the values of its flags`() async throws {
    try await withScriptedOperator { operators in
      let asked = operators.on(
        V1.OperatorMethods.startTranscription,
        reply: V1.StartTranscriptionReply(wasRunning: true))
      let run = try await operators.run(
        "transcript", "start", "m-1", "--language", "en-GB", "--engine", "mine", "--phrase",
        "Carillon", "--phrase", "tower bell", "--filter-word", "darn", "--filter-method", "tag",
        "--translate-to", "fr-FR", "--redact", "--stability", "low")
      #expect(
        asked.entries == [
          V1.StartTranscriptionRequest(
            meetingID: "m-1",
            configuration: V1.TranscriptionConfiguration(
              languageCode: "en-GB", engine: "mine", phrases: ["Carillon", "tower bell"],
              filteredWords: ["darn"], vocabularyFilterMethod: .tag,
              isPartialResultsStabilizationEnabled: true, partialResultsStability: .low,
              contentRedaction: .pii, translateTo: ["fr-FR"]))
        ])
      #expect(run.output == ["meeting_id   m-1", "was_running  yes"])
    }
  }

  @Test func `the command carillon transcript start without flags leaves all values to the engine`()
    async throws
  {
    try await withScriptedOperator { operators in
      let asked = operators.on(
        V1.OperatorMethods.startTranscription, reply: V1.StartTranscriptionReply())
      let run = try await operators.run("transcript", "start", "m-1", "--output", "json")
      #expect(asked.entries.map(\.configuration) == [V1.TranscriptionConfiguration()])
      #expect(run.output == [#"{"meeting_id": "m-1", "was_running": false}"#])
    }
  }

  @Test(arguments: [true, false])
  func `the command carillon transcript stop prints whether a transcription was running`(
    wasRunning: Bool
  )
    async throws
  {
    try await withScriptedOperator { operators in
      let asked = operators.on(
        V1.OperatorMethods.stopTranscription,
        reply: V1.StopTranscriptionReply(wasRunning: wasRunning))
      let run = try await operators.run("transcript", "stop", "m-1")
      #expect(asked.entries.map(\.meetingID) == ["m-1"])
      #expect(run.output.last == "was_running  \(wasRunning ? "yes" : "no")")
      #expect(run.exit == .status(0))
    }
  }

  @Test func `a transcription that was never started has no status`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.getTranscription, reply: V1.TranscriptionState(meetingID: "m-1"))
      let run = try await operators.run("transcript", "status", "m-1", "--output", "json")
      #expect(
        run.output == [
          #"{"meeting_id": "m-1", "is_running": false, "status": null, "#
            + #""status_time_ms": null, "message": null, "language_code": null, "#
            + #""backlog_ms": 0, "talkers": []}"#
        ])
    }
  }

  @Test(
    arguments: [
      (.started, "started"), (.interrupted, "interrupted"), (.resumed, "resumed"),
      (.stopped, "stopped"), (.failed, "failed"), (.unspecified, "unknown"),
      (.unrecognized(77), "unknown"),
    ] as [(V1.TranscriptionStatusType, String)])
  func `a transcription status is printed as a word`(type: V1.TranscriptionStatusType, word: String)
    async throws
  {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.getTranscription,
        reply: V1.TranscriptionState(
          meetingID: "m-1", status: V1.TranscriptionStatus(type: type, eventTimeMs: 9)))
      let run = try await operators.run("transcript", "status", "m-1")
      #expect(run.output.contains("status          \(word)"))
      #expect(run.output.contains("message         -"))
    }
  }

  @Test func `the command carillon transcript status lists the talkers, engines and waiting sound`()
    async throws
  {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.getTranscription,
        reply: V1.TranscriptionState(
          meetingID: "m-1", isRunning: true,
          configuration: V1.TranscriptionConfiguration(languageCode: "en-US"),
          status: V1.TranscriptionStatus(
            type: .interrupted, eventTimeMs: 9, message: "The engine is away."),
          talkers: [
            V1.TalkerState(
              attendee: V1.AttendeeInfo(attendeeID: "a-1", externalUserID: "ada\u{1B}[2J"),
              engineID: "pocketsphinx-a", backlogMs: 120, droppedMs: 40),
            V1.TalkerState(
              attendee: V1.AttendeeInfo(attendeeID: "b-2", externalUserID: "ben")),
          ], backlogMs: 120))
      let run = try await operators.run("transcript", "status", "m-1", "--output", "json")
      #expect(
        run.output[0].contains(#""message": "The engine is away.", "language_code": "en-US""#))
      #expect(
        run.output[0].hasSuffix(
          #""backlog_ms": 120, "talkers": ["ada\\u{1b}[2J at pocketsphinx-a, 120 ms wait, "#
            + #"40 ms dropped", "ben at no engine, 0 ms wait, 0 ms dropped"]}"#))
    }
  }

  @Test func `engines are printed as a table of their capabilities`() async throws {
    try await withScriptedOperator { operators in
      operators.on(
        V1.OperatorMethods.listTranscriptionEngines,
        reply: V1.ListEnginesReply(engines: [
          V1.AttachedEngine(
            engineID: "pocketsphinx-a", instance: "transcription-a",
            capabilities: V1.EngineCapabilities(
              name: "PocketSphinx", version: "5",
              languages: [
                V1.EngineLanguage(languageCode: "en-US"), V1.EngineLanguage(languageCode: "de-DE"),
              ], hasPartials: true, maxStreams: 4),
            streams: 2, backlogMs: 30, attachedAtMs: 8),
          V1.AttachedEngine(engineID: "mute"),
        ]))
      let run = try await operators.run("transcript", "engines")
      #expect(
        run.output == [
          "engine_id       name          version  languages    has_partials  streams  max_streams  "
            + "backlog_ms  attached_to      attached_at_ms",
          "pocketsphinx-a  PocketSphinx  5        en-US,de-DE  yes           2        4            "
            + "30          transcription-a  8",
          "mute            -             -        -            no            0        0            "
            + "0           -                0",
        ])
    }
  }

  @Test(arguments: [(["en-GB"], "en-GB", "en-GB"), ([], "", "-")])
  func `the command carillon transcript language sets or resets an attendee's spoken language`(
    words: [String], asked: String, shown: String
  ) async throws {
    try await withScriptedOperator { operators in
      let requests = operators.on(
        V1.OperatorMethods.setSpokenLanguage, reply: V1.SetSpokenLanguageReply())
      let run = try await carillon(
        ["transcript", "language", "m-1", "a-1"] + words, in: operators.directory)
      #expect(
        requests.entries == [
          V1.SetSpokenLanguageRequest(
            meetingID: "m-1", attendeeID: "a-1", spokenLanguage: asked)
        ])
      #expect(run.output.last == "spoken_language  \(shown)")
    }
  }

  @Test func `a transcription that no engine supports is refused in the service's words`()
    async throws
  {
    try await withScriptedOperator { operators in
      operators.on(V1.OperatorMethods.startTranscription) { _ in
        .failure(Status(.failedPrecondition, "No engine knows xx-XX."))
      }
      let run = try await operators.run("transcript", "start", "m-1", "--language", "xx-XX")
      #expect(run.exit == .status(1))
      #expect(run.errors == ["carillon: FAILED_PRECONDITION: No engine knows xx-XX."])
    }
  }
}
