import Bus
import MeetingModel
import OwnerTestSupport
import TestSupport
import Testing
import Trials
import Wire
import ZeroMQ

@testable import Transcription

@Suite(.timeLimit(.minutes(5))) struct TranscriptionServiceTests {
  private let greeting = [
    ScriptedResult(after: 300, utterance: 1, text: "good"),
    ScriptedResult(after: 800, utterance: 1, text: "good morning", isFinal: true),
  ]

  @Test func `gateways receive the words of recognized speech`() async throws {
    try await withTranscription { fixture in
      try await fixture.withEngine("engine-a", greeting) { engine in
        try await fixture.gateway.start()
        try await fixture.media.followed()
        await fixture.media.say(.ada)
        let seen = try await fixture.gateway.sees(["started", "good…", "good morning"])
        let results = seen.flatMap(\.results)
        #expect(Set(results.map(\.resultID)).count == 1)
        let speaker = results.last?.alternatives.first?.items.first?.attendee
        #expect(speaker?.externalUserID == "ada" && speaker?.displayName == "ada Ł.")
        #expect(results.last?.startTimeMs == epoch)
        #expect(results.last?.endTimeMs == epoch + 800)
        #expect(seen.map(\.header.sequence) == Array(1...UInt64(seen.count)))
        // The last words of the script precede the end of the speech.
        let heard = try await engine.heard.wait(for: "the end of the speech") { heard in
          heard.contains { if case .audio(_, _, _, isEnd: true) = $0 { true } else { false } }
        }
        let samples = heard.reduce(0) { sum, heard in
          if case .audio(_, _, let samples, _) = heard { sum + samples } else { sum }
        }
        #expect(samples == 16_000)
      }
    }
  }

  @Test func `a second engine completes the utterance of a lost engine`() async throws {
    try await withTranscription { fixture in
      try await fixture.withEngine("engine-a", [greeting[0]]) { engine in
        try await fixture.gateway.start()
        try await fixture.media.followed()
        await fixture.media.say(.ada, milliseconds: 600, isLast: false)
        try await fixture.gateway.sees(["good…"])
        await engine.detach()
        try await fixture.gateway.sees(["interrupted"])
      }
      try await fixture.withEngine("engine-b", greeting) { _ in
        await fixture.media.say(.ada, milliseconds: 400)
        let seen = try await fixture.gateway.sees([
          "started", "interrupted", "resumed", "good morning",
        ])
        let finals = seen.flatMap(\.results).filter { !$0.isPartial }
        #expect(finals.map(\.text) == ["good morning"])
        #expect(Set(seen.flatMap(\.results).map(\.resultID)).count == 1)
      }
    }
  }

  @Test func `a failed attempt to send speech reveals that an engine has lost its connection`()
    async throws
  {
    try await withTranscription { fixture in
      try await fixture.withEngine { engine in
        try await fixture.gateway.start()
        try await fixture.media.followed()
        await engine.close()
        // Transcription may still send speech on a connection until transcription notices the end
        // of this connection.
        for _ in 0..<100 where await !hasSeen("interrupted", fixture) {
          await fixture.media.say(.ada, milliseconds: 100)
          _ = try await fixture.gateway.snapshot()
        }
        try await fixture.gateway.sees(["started", "interrupted"])
      }
    }
  }

  private func hasSeen(_ text: String, _ fixture: TranscriptionFixture) async -> Bool {
    fixture.gateway.seen.entries.flatMap(\.texts).contains(text)
  }

  @Test func `after the stream of speech breaks, the service requests speech from media again`()
    async throws
  {
    try await withTranscription { fixture in
      try await fixture.withEngine { engine in
        try await fixture.gateway.start()
        try await fixture.media.followed()
        await fixture.media.say(.ada, milliseconds: 500, isLast: false)
        await fixture.media.breakStream()
        try await fixture.media.heard.wait(for: "the second stream") { heard in
          heard.count { if case .follow = $0 { true } else { false } } == 2
        }
        try await engine.heard.wait(for: "the end of the utterance") { heard in
          heard.contains { if case .audio(_, _, _, isEnd: true) = $0 { true } else { false } }
        }
        await fixture.media.say(.ada, milliseconds: 500)
        try await engine.heard.wait(for: "the next utterance") { heard in
          heard.count { if case .audio(_, _, _, isEnd: true) = $0 { true } else { false } } == 2
        }
      }
    }
  }

  @Test func `stopping a transcription ends its media request and engine streams`() async throws {
    try await withTranscription { fixture in
      try await fixture.withEngine("engine-a", [greeting[0]]) { engine in
        try await fixture.gateway.start()
        try await fixture.media.followed()
        await fixture.media.say(.ada, milliseconds: 500, isLast: false)
        try await fixture.gateway.sees(["good…"])
        #expect(try await fixture.gateway.stop())
        #expect(try await !fixture.gateway.stop())
        try await fixture.gateway.sees(["good", "stopped"])
        try await fixture.media.heard.wait(for: "the cancellation") { $0.contains(.cancel) }
        try await engine.heard.wait(for: "the end of the stream") { heard in
          heard.contains { if case .ended(_, isDiscarded: true) = $0 { true } else { false } }
        }
        let snapshot = try await fixture.gateway.snapshot()
        #expect(snapshot.status?.type == .stopped)
        #expect(snapshot.open?.results == [])
      }
    }
  }

  @Test
  func `one engine recognizes eight talkers, and the state shows the backlog of the talkers`()
    async throws
  {
    try await withTranscription { fixture in
      let script = [ScriptedResult(after: 500, utterance: 1, text: "heard", isFinal: true)]
      try await fixture.withEngine("engine-a", script, maxStreams: 2, credit: 4) { _ in
        try await fixture.gateway.start()
        try await fixture.media.followed()
        for number in 0..<8 { await fixture.media.say(.number(number)) }
        try await fixture.gateway.sees(Array(repeating: "heard", count: 8))
        let state = try await fixture.gateway.call(
          V1.TranscriptionMethods.getState,
          V1.GetTranscriptionStateRequest(meetingID: MeetingID.planning.text))
        #expect(state.talkers.count == 8)
        #expect(state.talkers.allSatisfy { $0.droppedMs == 0 && $0.backlogMs <= 20_000 })
        let engines = try await fixture.gateway.call(
          V1.TranscriptionMethods.listEngines, V1.ListEnginesRequest()
        ).engines
        #expect(engines.map(\.engineID) == ["engine-a"])
      }
    }
  }

  @Test func `a transcription that a gateway announces continues after a restart`() async throws {
    try await withTranscriptionFixture { fixture in
      let first = try await fixture.running {
        try await fixture.withEngine { _ in
          try await fixture.gateway.start()
          try await fixture.gateway.sees(["started"])
          return try await fixture.gateway.snapshot().epoch
        }
      }
      try await fixture.running {
        try await fixture.withEngine("engine-a", greeting) { _ in
          try await fixture.gateway.announce([
            V1.StartTranscriptionRequest(
              meetingID: MeetingID.planning.text, configuration: .init(languageCode: "en-US"),
              revision: 1, startedAtMs: 7)
          ])
          let snapshot = try await fixture.gateway.snapshot()
          #expect(snapshot.epoch > first)
          try await fixture.gateway.seen.wait(for: "the start, told again") { seen in
            seen.flatMap(\.texts).count { $0 == "started" } == 2
          }
          #expect(try await fixture.gateway.snapshot().status?.eventTimeMs == 7)
          try await fixture.media.heard.wait(for: "the second stream") { heard in
            heard.count { if case .follow = $0 { true } else { false } } == 2
          }
          await fixture.media.say(.ada)
          try await fixture.gateway.sees(["good morning"])
        }
      }
    }
  }

  @Test
  func `invalid parts of an announcement are refused, each by name, and valid parts are kept`()
    async throws
  {
    try await withTranscriptionFixture { fixture in
      try await fixture.running {
        try await fixture.withEngine { _ in
          let meeting = MeetingID.planning.text
          let bad = V1.TranscriptSession(
            meetingID: meeting, sessionID: [UInt8](repeating: 2, count: 16),
            participantID: ParticipantIdentity.ada.id.text, viewLanguage: "no language")
          let good = V1.TranscriptSession(
            meetingID: meeting, sessionID: [UInt8](repeating: 3, count: 16),
            participantID: ParticipantIdentity.grace.id.text, viewLanguage: "de-DE")
          let reply = try await fixture.gateway.announce(
            [
              V1.StartTranscriptionRequest(meetingID: "none", configuration: .init()),
              V1.StartTranscriptionRequest(
                meetingID: meeting, configuration: .init(languageCode: "en-US"), revision: 1),
            ], sessions: [bad, good])
          #expect(reply.refused.map(\.sessionID) == [bad.sessionID])
          #expect(reply.refused.map { $0.status?.code } == [.invalidArgument])
          #expect(reply.refusedTranscriptions.map(\.meetingID) == ["none"])
          #expect(reply.refusedTranscriptions.map { $0.status?.code } == [.invalidArgument])
          try await fixture.gateway.sees(["started"])
          let sessions = try await fixture.gateway.snapshot().sessions
          #expect(sessions.map(\.sessionID) == [good.sessionID])
        }
      }
    }
  }
}
