import MeetingModel
import Storage
import Synchronization
import Testing
import Wire

@testable import Gateway

@Suite struct TranscriptionControlTests {
  private func start(
    _ configuration: V1.TranscriptionConfiguration, of meeting: MeetingID, _ control: ControlPlane
  ) async throws -> Bool {
    try await control.start(
      V1.StartTranscriptionRequest(meetingID: meeting.text, configuration: configuration)
    ).wasRunning
  }

  @Test func `a started transcription is stored, then reported, and outlives the gateway`()
    async throws
  {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      #expect(try await !start(.init(languageCode: "en-US"), of: meeting, fixture.control))
      let stored = try #require(try await fixture.store.transcriptions().first)
      #expect(fixture.effects.told == [.transcription(stored)])
      let configuration = try V1.TranscriptionConfiguration(packed: stored.configuration ?? [])
      #expect(configuration.languageCode == "en-US")
      #expect(configuration.json == #"{"EngineTranscribeSettings":{"LanguageCode":"en-US"}}"#)
      #expect(try await start(.init(languageCode: "de-DE"), of: meeting, fixture.control))
      let stopped = try await fixture.control.stop(
        V1.StopTranscriptionRequest(meetingID: meeting.text))
      #expect(stopped.wasRunning)
      #expect(try await fixture.store.transcriptions().isEmpty)
    }
  }

  @Test func `contradictory settings are refused, and nothing is stored`()
    async throws
  {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      for configuration in [
        V1.TranscriptionConfiguration(languageOptions: ["en-US", "de-DE"]),
        V1.TranscriptionConfiguration(languageCode: "no language"),
        V1.TranscriptionConfiguration(vocabularyFilterMethod: .unrecognized(9)),
        V1.TranscriptionConfiguration(contentRedaction: .unrecognized(9)),
      ] {
        let error = await #expect(throws: Status.self) {
          try await start(configuration, of: meeting, fixture.control)
        }
        #expect(error?.code == .invalidArgument)
      }
      #expect(try await fixture.store.transcriptions().isEmpty)
      #expect(fixture.effects.told.isEmpty)
    }
  }

  @Test
  func `a replica is not transcribed, and its transcription state is the state of its primary`()
    async throws
  {
    try await withControl { fixture in
      let primary = try await fixture.makeMeeting()
      let replica = try await fixture.makeMeeting("token-2", primary: primary)
      let error = await #expect(throws: Status.self) {
        try await start(.init(), of: replica, fixture.control)
      }
      #expect(error?.code == .failedPrecondition)
      let stop = V1.StopTranscriptionRequest(meetingID: replica.text)
      #expect(try await !fixture.control.stop(stop).wasRunning)
      #expect(fixture.effects.told.isEmpty)
      let state = try await fixture.control.transcription(
        V1.GetTranscriptionStateRequest(meetingID: replica.text))
      #expect(state.meetingID == primary.text)
    }
  }

  @Test func `a start of transcription is stored even if the transcription service is unavailable`()
    async throws
  {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      fixture.effects.state.withLock { $0.failure = Status(.unavailable, "Away.") }
      let error = await #expect(throws: Status.self) {
        try await start(.init(), of: meeting, fixture.control)
      }
      #expect(error?.code == .unavailable)
      #expect(try await fixture.store.transcriptions().count == 1)
    }
  }

  @Test func `an operator sets the spoken language of an attendee`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.makeMeeting()
      let ada = try await fixture.makeAttendee("ada", in: meeting)
      var request = V1.SetSpokenLanguageRequest(
        meetingID: meeting.text, attendeeID: ada.text, spokenLanguage: "en-GB")
      _ = try await fixture.control.setSpokenLanguage(request)
      #expect(fixture.effects.told == [.spokenLanguage(try LanguageCode("en-GB"), ada)])
      #expect(try await fixture.store.spokenLanguages().map(\.attendee) == [ada])
      request.spokenLanguage = "?"
      let error = await #expect(throws: Status.self) {
        try await fixture.control.setSpokenLanguage(request)
      }
      #expect(error?.code == .invalidArgument)
    }
  }
}
