import MeetingModel
import Storage
import Testing
import Wire

@testable import Gateway

@Suite struct TranscriptionOperationTests {
  private static func start(_ settings: String) -> String {
    #"{"TranscriptionConfiguration":{"EngineTranscribeSettings":{\#(settings)}}}"#
  }

  private static func startMedical(_ settings: String) -> String {
    #"{"TranscriptionConfiguration":{"EngineTranscribeMedicalSettings":{\#(settings)}}}"#
  }

  private func stored(_ fixture: ControlFixture) async throws -> V1.TranscriptionConfiguration? {
    try await fixture.store.transcriptions().first?.configuration.map {
      try V1.TranscriptionConfiguration(packed: $0)
    }
  }

  @Test func `all transcription settings are stored`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.face.makeMeeting()
      let answer = await fixture.face.send(
        "POST", "/meetings/\(meeting)/transcription?operation=start",
        Self.start(
          #"""
          "IdentifyLanguage":true,"LanguageOptions":"en-US, de-DE","PreferredLanguage":"de-DE",
          "VocabularyNames":"legal,names","VocabularyFilterName":"rude",
          "VocabularyFilterMethod":"mask","Region":"auto","EnablePartialResultsStabilization":true,
          "PartialResultsStability":"high","ContentIdentificationType":"PII",
          "PiiEntityTypes":"NAME, PHONE"
          """#))
      #expect(answer.status == 200)
      #expect(answer.response.body.isEmpty)
      var configuration = try #require(try await stored(fixture))
      #expect(configuration.json.hasPrefix(#"{"EngineTranscribeSettings":{"ContentIdent"#))
      configuration.json = ""
      #expect(
        configuration
          == V1.TranscriptionConfiguration(
            isLanguageIdentified: true, languageOptions: ["en-US", "de-DE"],
            preferredLanguage: "de-DE", vocabularyNames: ["legal", "names"],
            vocabularyFilterNames: ["rude"], vocabularyFilterMethod: .mask, region: "auto",
            isPartialResultsStabilizationEnabled: true, partialResultsStability: .high,
            contentIdentification: .pii, piiEntityTypes: ["NAME", "PHONE"]))
    }
  }

  @Test func `medical transcription settings are stored`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.face.makeMeeting()
      let answer = await fixture.face.send(
        "POST", "/meetings/\(meeting)/transcription?operation=start",
        Self.startMedical(
          #""LanguageCode":"en-US","Specialty":"CARDIOLOGY","Type":"DICTATION""#))
      #expect(answer.status == 200)
      let medical = try await stored(fixture)?.medical
      #expect(medical == V1.MedicalSettings(specialty: "CARDIOLOGY", type: "DICTATION"))
    }
  }

  @Test(arguments: [
    "{}", #"{"TranscriptionConfiguration":{}}"#, start(""), start(#""LanguageCode":"xx-XX""#),
    start(#""LanguageCode":"en-US","IdentifyLanguage":true"#),
    start(#""IdentifyLanguage":"yes""#),
    start(#""LanguageCode":"en-US","LanguageOptions":"en-US,de-DE""#),
    start(#""IdentifyLanguage":true,"LanguageOptions":"en-US""#),
    start(#""IdentifyLanguage":true,"LanguageOptions":"en-US,en-GB""#),
    start(#""IdentifyLanguage":true,"LanguageOptions":"en-US,,de-DE""#),
    start(#""IdentifyLanguage":true,"PreferredLanguage":"en-US""#),
    start(#""IdentifyLanguage":true,"LanguageModelName":"mine""#),
    start(#""IdentifyLanguage":true,"ContentRedactionType":"PII""#),
    start(#""LanguageCode":"en-US","ContentRedactionType":"PHI""#),
    start(
      #""LanguageCode":"en-US","ContentIdentificationType":"PII","ContentRedactionType":"PII""#),
    start(#""LanguageCode":"en-US","PiiEntityTypes":"NAME""#),
    start(#""LanguageCode":"en-US","Region":"moon""#),
    start(#""LanguageCode":"en-US","LanguageModelName":"a b""#),
    start(#""LanguageCode":"en-US","VocabularyNames":""#),
    start(#""LanguageCode":"en-US","VocabularyFilterMethod":"burn""#),
    startMedical(#""LanguageCode":"en-US","Specialty":"CARDIOLOGY""#),
    startMedical(#""LanguageCode":"de-DE","Specialty":"CARDIOLOGY","Type":"DICTATION""#),
    #"""
    {"TranscriptionConfiguration":{"EngineTranscribeSettings":{"LanguageCode":"en-US"},
    "EngineTranscribeMedicalSettings":{"LanguageCode":"en-US","Specialty":"UROLOGY",
    "Type":"DICTATION"}}}
    """#,
  ])
  func `invalid or contradictory settings are a bad request`(body: String) async throws {
    try await withControl { fixture in
      let meeting = try await fixture.face.makeMeeting()
      let answer = await fixture.face.send(
        "POST", "/meetings/\(meeting)/transcription?operation=start", body)
      #expect(answer.status == 400)
      #expect(try await stored(fixture) == nil)
    }
  }

  @Test func `a stop of transcription succeeds at any time and needs no body`() async throws {
    try await withControl { fixture in
      let meeting = try await fixture.face.makeMeeting()
      let stop = "/meetings/\(meeting)/transcription?operation=stop"
      #expect(await fixture.face.send("POST", stop).status == 200)
      _ = await fixture.face.send(
        "POST", "/meetings/\(meeting)/transcription?operation=start",
        Self.start(#""LanguageCode":"en-US""#))
      for _ in 0..<2 { #expect(await fixture.face.send("POST", stop).status == 200) }
      #expect(try await stored(fixture) == nil)
    }
  }

  @Test
  func `a start of transcription gets status 422 for a replica and 404 for an unknown meeting`()
    async throws
  {
    try await withControl { fixture in
      let primary = try await fixture.face.makeMeeting()
      let replica = try await fixture.face.makeMeeting(
        "token-2", with: #""PrimaryMeetingId":"\#(primary)""#)
      let body = Self.start(#""LanguageCode":"en-US""#)
      let start = { (meeting: String) in
        await fixture.face.send(
          "POST", "/meetings/\(meeting)/transcription?operation=start", body)
      }
      let refused = await start(replica)
      #expect(refused.status == 422)
      #expect(refused.error == "UnprocessableEntityException")
      let stopped = await fixture.face.send(
        "POST", "/meetings/\(replica)/transcription?operation=stop")
      #expect(stopped.status == 200)
      #expect(await start(MeetingID.random().text).status == 404)
      #expect(
        await fixture.face.send("POST", "/meetings/\(primary)/transcription", body).error
          == "UnknownOperationException")
    }
  }
}
