import CarillonClient
import Foundation
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

extension EndToEnd {
  /// Tests of synthesised speech from client to client through all services and PocketSphinx.
  struct TranscriptTests {
    private static let greeting = "the weather is very nice today"
    private static let first = "the meeting will begin in ten minutes"
    private static let second = "we should talk about the plan for next year"

    /// A transcribed meeting in which Ada speaks and Bea reads.
    private struct Scene {
      let meeting: TestMeeting
      let voice: SpokenVoice
      let ada: MediaParticipant
      let bea: MediaParticipant
      let reader: TranscriptReader

      /// The number of results before the test's own sentences.
      var mark = 0

      func say(_ sentence: String) async throws {
        voice.say(try await Flite.speak(sentence, at: 48_000))
      }
    }

    private func start(
      _ meeting: TestMeeting, _ configuration: V1.TranscriptionConfiguration = .init()
    ) async throws {
      _ = try await meeting.installation.ask(
        V1.OperatorMethods.startTranscription,
        V1.StartTranscriptionRequest(
          meetingID: meeting.record.meetingID, configuration: configuration))
    }

    private func withSpeech(_ body: (Scene) async throws -> Void) async throws {
      try await withMeeting(.init(hasEngine: true)) { meeting in
        try await eventually("the engine to be attached", within: .seconds(20)) {
          try await !meeting.installation.ask(
            V1.OperatorMethods.listTranscriptionEngines, V1.ListEnginesRequest()
          ).engines.isEmpty
        }
        let voice = SpokenVoice()
        let ada = try await MediaParticipant("ada", in: meeting, speaking: voice)
        let bea = try await MediaParticipant("bea", in: meeting)
        let reader = TranscriptReader()
        bea.audioVideo.addRealtimeTranscriptEventObserver(observer: reader)
        for participant in [ada, bea] { try await participant.join() }
        try await start(meeting)
        try await reader.becomes(.started)
        var scene = Scene(meeting: meeting, voice: voice, ada: ada, bea: bea, reader: reader)
        // The engine receives speech only some time after the start. An engine that has recognized
        // the greeting receives all later speech.
        try await speakUntilHeard(Self.greeting, scene)
        scene.mark = reader.spoken.entries.count
        try await body(scene)
        #expect(reader.repeated.isEmpty)
        for participant in [ada, bea] { try await participant.leave() }
      }
    }

    @Test func `every attendee reads the transcript of speech, even a late joiner`() async throws {
      try await withSpeech { scene in
        try await speakUntilHeard(Self.first, scene)
        // The engine sends no partial results during a talker's first 2 s, so the first result of
        // the greeting may already be final.
        let results = scene.reader.spoken.entries.dropFirst(scene.mark)
        let revised = Set(results.filter(\.isPartial).map(\.id))
        #expect(results.contains { !$0.isPartial && revised.contains($0.id) })
        let late = try await MediaParticipant("late", in: scene.meeting)
        let reader = TranscriptReader()
        late.audioVideo.addRealtimeTranscriptEventObserver(observer: reader)
        try await late.join()
        try await reader.becomes(.started)
        for reader in [scene.reader, reader] {
          try await speakUntilHeard(Self.second, scene, by: reader)
        }
        _ = try await scene.meeting.installation.ask(
          V1.OperatorMethods.stopTranscription,
          V1.StopTranscriptionRequest(meetingID: scene.meeting.record.meetingID))
        try await reader.becomes(.started, .stopped)
        try await late.leave()
      }
    }

    @Test func `no result is repeated when the engine is killed during an utterance`() async throws
    {
      try await withSpeech { scene in
        try await scene.say(Self.first)
        let results = try await scene.reader.spoken.wait(
          for: "a partial result", within: .seconds(20)
        ) { [mark = scene.mark] in $0.dropFirst(mark).contains(where: \.isPartial) }
        let first = results.dropFirst(scene.mark).first(where: \.isPartial)
        let partial = try #require(first)
        try await scene.meeting.installation.engine.kill()
        try await scene.reader.becomes(.started, .interrupted)
        try await scene.meeting.installation.engine.start()
        try await scene.reader.becomes(.started, .interrupted, .resumed)
        let final = try await scene.reader.final(of: partial.id)
        // Transcription sends the speech from before the kill to the new engine again. A busy
        // machine loses packets, so this test does not compare the words.
        #expect(final.text.split(separator: " ").count >= 4, "\(final.text)")
        try await speakUntilHeard(Self.second, scene)
      }
    }

    @Test func `transcription continues after the transcription service is killed`() async throws {
      try await withSpeech { scene in
        try await scene.meeting.installation.transcription.kill()
        try await scene.meeting.installation.transcription.start()
        try await speakUntilHeard(Self.second, scene)
        let statuses = scene.reader.statuses.entries
        #expect(!statuses.contains(.failed) && !statuses.contains(.stopped))
      }
    }

    @Test func `speech after a crash of media is transcribed`() async throws {
      try await withSpeech { scene in
        try await scene.meeting.installation.media.kill()
        try await scene.meeting.installation.media.start()
        try await speakUntilHeard(Self.second, scene)
      }
    }

    @Test func `clients continue to get transcripts after the gateway is killed`() async throws {
      try await withSpeech { scene in
        try await speakUntilHeard(Self.first, scene)
        try await scene.meeting.installation.gateway.process.kill()
        try await scene.meeting.installation.gateway.process.start()
        try await scene.bea.hears("restart")
        try await speakUntilHeard(Self.second, scene)
        #expect(scene.reader.statuses.entries == [.started])
      }
    }

    /// Says a sentence up to four times until the engine recognizes the sentence. No event reports
    /// when the engine receives speech again, and these tests do not judge the quality of
    /// recognition.
    private func speakUntilHeard(
      _ sentence: String, _ scene: Scene, by reader: TranscriptReader? = nil
    ) async throws {
      let reader = reader ?? scene.reader
      let mark = reader.spoken.entries.count
      for attempt in 1... {
        try await scene.say(sentence)
        do {
          return try await reader.hearsEnd(of: sentence, by: "ada", since: mark)
        } catch  where attempt < 4 {
          continue
        }
      }
    }

    @Test func `captions are written while an attendee speaks`() async throws {
      try await withSpeech { scene in
        let installation = scene.meeting.installation
        let captions = ServerProcess(
          "captions",
          [
            "\(try Installation.binaries())/carillon", "transcript", "follow",
            scene.meeting.record.meetingID, "--user", "zoe", "--runtime-dir",
            "\(installation.directory)/run", "--format", "vtt", "--count", "1",
          ], logPath: "\(installation.directory)/captions.log", on: installation.thread)
        try await captions.start()
        try await scene.bea.hears("join zoe")
        try await scene.say(Self.first)
        #expect(try await captions.exit() == .exited(code: 0))
        #expect(captions.log.contains("WEBVTT"))
        #expect(
          captions.log.contains(
            /\n\d\d:\d\d:\d\d\.\d{3} --> \d\d:\d\d:\d\d\.\d{3}\n<v ada>[a-z]/))
      }
    }

    @Test func `a transcription without an engine fails, and every attendee learns of the failure`()
      async throws
    {
      try await withMeeting(.init(transcriptionFlags: ["--engine-wait-seconds", "1"])) { meeting in
        let reader = TranscriptReader()
        let bea = try await MediaParticipant("bea", in: meeting)
        bea.audioVideo.addRealtimeTranscriptEventObserver(observer: reader)
        try await bea.join()
        let answer = try await LocalHTTP.ask(
          "POST", "/meetings/\(meeting.record.meetingID)/transcription?operation=start",
          at: .port(meeting.installation.gateway.restPort),
          json: #"""
            {"TranscriptionConfiguration":{"EngineTranscribeSettings":{"LanguageCode":"en-US"}}}
            """#)
        #expect(answer.status == 200)
        try await reader.becomes(.failed)
        try await bea.leave()
      }
    }

    @Test func `a client that knows only data messages reads transcripts as data messages`()
      async throws
    {
      try await withMeeting(.init(transcriptionFlags: ["--engine-wait-seconds", "1"])) { meeting in
        let ada = try await meeting.installation.createAttendee("ada", in: meeting.record)
        try await withRawClient(meeting.installation) { client in
          try await client.start(ada, features: ["transcript_messages"])
          try await start(meeting, .init(languageCode: "en-US"))
          let message = try await client.hears(count: 1)[0]
          #expect(message.topic == "aws:chime:transcription")
          let frame = try V1.TranscriptFrame(packed: message.data)
          guard case .status(let status) = frame.events.first?.event else {
            throw CancellationError()
          }
          #expect(status.type == 5)
          #expect(status.transcriptionConfiguration.contains("en-US"))
        }
      }
    }
  }
}
