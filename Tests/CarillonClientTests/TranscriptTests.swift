import ClientTestSupport
import Foundation
import MeetingModel
import TestSupport
import Testing
import Trials
import Wire

@testable import CarillonClientCore

@Suite(.timeLimit(.minutes(5))) struct TranscriptTests {
  private static func result(
    _ id: String, _ revision: UInt32, isPartial: Bool = true, _ text: String = "hello"
  ) -> V1.TranscriptResult {
    V1.TranscriptResult(
      resultID: id, isPartial: isPartial, startTimeMs: 1, endTimeMs: 2,
      alternatives: [V1.TranscriptAlternative(transcript: text)], revision: revision)
  }

  private static func batch(_ results: V1.TranscriptResult...) -> V1.TranscriptEvents {
    V1.TranscriptEvents(events: [.init(event: .transcript(.init(results: results)))])
  }

  private static func status(_ type: V1.TranscriptionStatusType) -> V1.TranscriptEvents {
    V1.TranscriptEvents(events: [.init(event: .status(.init(type: type, eventTimeMs: 1)))])
  }

  private static func lines(_ news: [TranscriptUpdate]) -> [String] {
    news.map { news in
      switch news {
      case .status(let status): "\(status.type)"
      case .transcript(let transcript):
        transcript.results.map { "\($0.resultId)\($0.isPartial ? "…" : "")" }
          .joined(separator: " ")
      }
    }
  }

  // MARK: Repeats

  @Test func `each revision is reported once, and no revision follows the final revision`() {
    var transcripts = SessionTranscripts()
    #expect(Self.lines(transcripts.apply(Self.batch(Self.result("a", 1)))) == ["a…"])
    #expect(transcripts.apply(Self.batch(Self.result("a", 1))).isEmpty)
    let next = Self.batch(Self.result("a", 2, isPartial: false), Self.result("b", 1))
    #expect(Self.lines(transcripts.apply(next)) == ["a b…"])
    #expect(transcripts.apply(next).isEmpty)
  }

  @Test func `a snapshot reports only new transcripts`() {
    var transcripts = SessionTranscripts()
    let snapshot = V1.TranscriptSnapshot(
      meetingID: "m", epoch: 1, sequence: 1, status: .init(type: .started, eventTimeMs: 1),
      open: .init(results: [Self.result("a", 1)]))
    #expect(Self.lines(transcripts.apply(snapshot)) == ["started", "a…"])
    #expect(transcripts.apply(snapshot).isEmpty)
    #expect(transcripts.apply(Self.status(.started)).isEmpty)
    #expect(Self.lines(transcripts.apply(Self.status(.stopped))) == ["stopped"])
    #expect(transcripts.apply(V1.TranscriptSnapshot(meetingID: "m")).isEmpty)
  }

  // MARK: Conversion

  @Test func `missing lists are empty, missing values are nil, and new types are unknown`()
    throws
  {
    var transcripts = SessionTranscripts()
    let item = V1.TranscriptItem(type: .unrecognized(9), content: "hi")
    let news = transcripts.apply(
      V1.TranscriptEvents(events: [
        .init(event: .status(.init(type: .unrecognized(9)))),
        .init(
          event: .transcript(
            .init(results: [.init(resultID: "a", alternatives: [.init(items: [item])], revision: 1)]
            )
          )), .init(event: nil),
      ]))
    #expect(news.count == 2)
    let status = try #require(news[0].event as? TranscriptionStatus)
    #expect((status.type, status.message) == (.unknown, nil))
    let transcript = try #require(news[1].event as? Transcript)
    let result = try #require(transcript.results.first)
    #expect((result.channelId, result.languageCode) == (nil, nil))
    #expect(result.languageIdentification?.isEmpty == true)
    let alternative = try #require(result.alternatives.first)
    #expect(alternative.entities?.isEmpty == true)
    let first = try #require(alternative.items.first)
    #expect(first.type == .unknown)
    #expect((first.stable, first.confidence) == (nil, nil))
    #expect(first.attendee.attendeeId.isEmpty)
  }

  @Test func `entities of one alternative are not copied to another alternative`() throws {
    var transcripts = SessionTranscripts()
    let entity = V1.TranscriptEntity(type: "NAME", content: "Ada", category: "PII")
    let news = transcripts.apply(
      V1.TranscriptEvents(events: [
        .init(
          event: .transcript(
            .init(results: [
              .init(
                resultID: "a", alternatives: [.init(entities: [entity]), .init()], revision: 1)
            ])))
      ]))
    let result = try #require((news.first?.event as? Transcript)?.results.first)
    #expect(result.alternatives.map { $0.entities?.count } == [1, 0])
  }

  // MARK: Over real sockets

  @Test func `observers receive transcripts in order and once`() async throws {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      let observer = Observer()
      client.audioVideo.addRealtimeTranscriptEventObserver(observer: observer)
      try await client.join()
      gateway.say(.transcriptEvents(Self.status(.started)))
      for revision in 1...3 {
        gateway.say(.transcriptEvents(Self.batch(Self.result("a", UInt32(revision)))))
      }
      gateway.say(.transcriptEvents(Self.batch(Self.result("a", 3))))
      gateway.say(.transcriptEvents(Self.batch(Self.result("a", 4, isPartial: false, "hello all"))))
      try await observer.heard.wait(for: "all of it") {
        $0 == ["started", "a… hello", "a… hello", "a… hello", "a hello all"]
      }
      client.audioVideo.removeRealtimeTranscriptEventObserver(observer: observer)
      client.audioVideo.stop()
      try await client.hears("stopped ok")
    }
  }

  @Test func `languages are declared at the start and sent again when they change`() async throws {
    try await withScriptedGateway { gateway in
      let client = ConnectedClient(to: gateway.url)
      try client.languages.setTranscriptLanguages(view: "en-US", spoken: nil)
      try await client.join()
      #expect(gateway.starts.entries.map(\.transcriptLanguage) == ["en-US"])
      try client.languages.setTranscriptLanguages(view: nil, spoken: "de-DE")
      try await gateway.languages.wait(for: "the change") {
        $0 == [
          V1.SetTranscriptLanguagesRequest(
            session: V1.TranscriptSession(spokenLanguage: "de-DE"))
        ]
      }
      #expect(throws: TranscriptLanguageError.invalidLanguageCode("no language")) {
        try client.languages.setTranscriptLanguages(view: "no language", spoken: nil)
      }
      client.audioVideo.stop()
      try await client.hears("stopped ok")
      try await client.join(again: 2)
      #expect(gateway.starts.entries.map(\.spokenLanguage) == ["", "de-DE"])
      #expect(gateway.languages.entries.count == 1)
      client.audioVideo.stop()
      try await client.hears("stopped ok", times: 2)
    }
  }
}

/// An observer that records callbacks, one line each.
private final class Observer: TranscriptEventObserver {
  let heard = AwaitableEntryList<String>()

  func transcriptEventDidReceive(transcriptEvent: any TranscriptEvent) {
    switch transcriptEvent {
    case let status as TranscriptionStatus: heard.append("\(status.type)")
    case let transcript as Transcript:
      for result in transcript.results {
        let text = result.alternatives.first?.transcript ?? ""
        heard.append("\(result.resultId)\(result.isPartial ? "…" : "") \(text)")
      }
    default: heard.append("?")
    }
  }
}
