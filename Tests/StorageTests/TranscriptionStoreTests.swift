import MeetingModel
import Storage
import Testing

@Suite struct TranscriptionStoreTests {
  @Test func `a transcription is stored until it is stopped`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let started = try await store.setTranscription([1, 0, 2], of: meeting, at: 5)
      #expect(
        started == .init(meeting: meeting, revision: 1, startedAtMs: 5, configuration: [1, 0, 2]))
      #expect(try await store.transcriptions() == [started])
      #expect(try await store.setTranscription([1, 0, 2], of: meeting, at: 6) == started)
      let replaced = try await store.setTranscription([], of: meeting, at: 5)
      #expect(replaced.revision == 2)
      #expect(try await store.transcriptions() == [replaced])
      let stopped = try await store.setTranscription(nil, of: meeting, at: 5)
      #expect(stopped == .init(meeting: meeting, revision: 3, startedAtMs: 5, configuration: nil))
      #expect(try await store.setTranscription(nil, of: meeting, at: 5) == stopped)
      #expect(try await store.transcriptions().isEmpty)
      #expect(try await store.setTranscription([3], of: meeting, at: 5).revision == 4)
    }
  }

  @Test func `an attendee of a replica is transcribed in the primary`() async throws {
    try await withStore { store in
      let primary = try await store.makeMeeting()
      let replica = try await store.makeMeeting("token-2", primary: primary)
      let ada = try await store.makeAttendee("ada", in: replica).attendee.id
      let english = try LanguageCode("en-GB")
      #expect(try await store.setSpokenLanguage(english, of: ada, in: replica) == primary)
      #expect(
        try await store.spokenLanguages()
          == [.init(meeting: primary, attendee: ada, language: english)])
    }
  }

  @Test func `the language of an attendee can be changed and removed`() async throws {
    try await withStore { store in
      let meeting = try await store.makeMeeting()
      let ada = try await store.makeAttendee("ada", in: meeting).attendee.id
      for language in ["en-US", "de-DE"] {
        _ = try await store.setSpokenLanguage(try LanguageCode(language), of: ada, in: meeting)
      }
      #expect(try await store.spokenLanguages().map(\.language.text) == ["de-DE"])
      _ = try await store.setSpokenLanguage(nil, of: ada, in: meeting)
      #expect(try await store.spokenLanguages().isEmpty)
      let stranger = AttendeeID.random()
      await #expect(throws: StorageError.attendeeNotFound(stranger)) {
        try await store.setSpokenLanguage(nil, of: stranger, in: meeting)
      }
    }
  }

  @Test
  func `the store deletes a transcription with the meeting, and a language with the attendee`()
    async throws
  {
    try await withStore { store in
      let (meeting, other) = (
        try await store.makeMeeting(), try await store.makeMeeting("token-2")
      )
      let ada = try await store.makeAttendee("ada", in: meeting).attendee.id
      let ben = try await store.makeAttendee("ben", in: other).attendee.id
      let english = try LanguageCode("en-US")
      _ = try await store.setSpokenLanguage(english, of: ada, in: meeting)
      _ = try await store.setSpokenLanguage(english, of: ben, in: other)
      _ = try await store.setTranscription([1], of: meeting, at: 5)
      try await store.deleteAttendee(ben, in: other, at: 3_000)
      _ = try await store.endMeeting(meeting, because: .deleted, at: 1)
      #expect(try await store.transcriptions().isEmpty)
      #expect(try await store.spokenLanguages().isEmpty)
      await #expect(throws: StorageError.meetingNotFound(meeting)) {
        try await store.setTranscription([1], of: meeting, at: 5)
      }
    }
  }
}
