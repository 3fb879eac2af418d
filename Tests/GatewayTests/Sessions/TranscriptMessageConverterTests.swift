import Bus
import Testing
import Wire

@testable import Gateway

@Suite struct TranscriptMessageConverterTests {
  private static let status = V1.TranscriptionStatus(
    type: .started, eventTimeMs: 5, transcriptionRegion: "auto",
    transcriptionConfiguration: "{}", message: "why")
  private static let result = V1.TranscriptResult(
    resultID: "r-1", channelID: "ch_0", isPartial: true, startTimeMs: 10, endTimeMs: 20,
    alternatives: [
      V1.TranscriptAlternative(
        items: [
          V1.TranscriptItem(
            type: .pronunciation, startTimeMs: 10, endTimeMs: 20,
            attendee: .init(attendeeID: "a", externalUserID: "ada", displayName: "Ada Ł."),
            content: "hello",
            isVocabularyFilterMatch: true, stability: .isStable(false),
            certainty: .confidence(0.5))
        ], transcript: "hello",
        entities: [
          V1.TranscriptEntity(
            type: "NAME", content: "hello", category: "PII", startTimeMs: 10, endTimeMs: 20)
        ])
    ], languageCode: "en-US",
    languageIdentification: [.init(languageCode: "en-US", score: 0.9)], revision: 3)

  private func frames(_ item: PackedSessionEvents) throws -> [V1.TranscriptFrame] {
    try V1.SessionEvents(packed: item.body).events.map { event in
      guard case .dataMessage(let message) = event.event else { throw CancellationError() }
      #expect(message.topic == "aws:chime:transcription")
      #expect(message.timestampMs == 7)
      return try V1.TranscriptFrame(packed: message.data)
    }
  }

  @Test func `a frame contains all data of the event`() throws {
    let events = V1.TranscriptEvents(events: [
      .init(event: .status(Self.status)),
      .init(event: .transcript(.init(results: [Self.result]))),
    ])
    let position = V1.StreamPosition(stream: "transcripts", epoch: 1, sequence: 2)
    let item = PackedSessionEvents(
      V1.SessionEvents(events: [.init(event: .transcriptEvents(events))], positions: [position]))
    let messages = TranscriptMessageConverter()
    let shown = messages.item(for: item, nowMs: 7)
    #expect(messages.item(for: item, nowMs: 8) === shown)
    #expect(try V1.SessionEvents(packed: shown.body).positions == [position])
    #expect(
      try frames(shown) == [
        V1.TranscriptFrame(events: [
          .init(
            event: .status(
              .init(
                type: 1, eventTime: 5, transcriptionRegion: "auto",
                transcriptionConfiguration: "{}", message: "why"))),
          .init(
            event: .transcript(
              .init(results: [
                .init(
                  alternatives: [
                    .init(
                      items: [
                        .init(
                          content: "hello", endTime: 20, speakerAttendeeID: "a",
                          speakerExternalUserID: "ada", startTime: 10, type: 1,
                          vocabularyFilterMatch: true, certainty: .confidence(0.5),
                          stability: .stable(false), speakerDisplayName: "Ada Ł.")
                      ], transcript: "hello",
                      entities: [
                        .init(
                          category: "PII", content: "hello", endTime: 20, startTime: 10,
                          type: "NAME")
                      ])
                  ], channelID: "ch_0", endTime: 20, isPartial: true, resultID: "r-1",
                  startTime: 10, languageCode: "en-US",
                  languageIdentification: [.init(languageCode: "en-US", score: 0.9)])
              ]))),
        ])
      ])
  }

  @Test func `a snapshot contains the status and the partial results`() throws {
    let snapshot = V1.TranscriptSnapshot(
      meetingID: "m", epoch: 1, sequence: 2, status: Self.status,
      open: .init(results: [Self.result]))
    let item = PackedSessionEvents(
      V1.SessionEvents(events: [.init(event: .transcriptSnapshot(snapshot))]))
    let frames = try frames(TranscriptMessageConverter().item(for: item, nowMs: 7))
    #expect(frames.map(\.events.count) == [2])
  }

  @Test func `a transcript event without results makes no message`() throws {
    let item = PackedSessionEvents(
      V1.SessionEvents(events: [.init(event: .transcriptEvents(.init()))]))
    #expect(try frames(TranscriptMessageConverter().item(for: item, nowMs: 7)).isEmpty)
  }
}
