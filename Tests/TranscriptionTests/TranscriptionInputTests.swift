import Bus
import MeetingModel
import OwnerTestSupport
import TestSupport
import Testing
import Trials
import Wire
import ZeroMQ

@testable import Transcription

@Suite(.timeLimit(.minutes(5))) struct TranscriptionInputTests {
  private static func result(
    _ change: (inout V1.EngineResult) -> Void = { _ in }
  ) -> V1.EngineResult {
    var result = V1.EngineResult(
      streamID: "s", utterance: 1, endSample: 1_600,
      alternatives: [
        V1.EngineAlternative(words: [V1.EngineWord(content: "word", endSample: 1_600)])
      ])
    change(&result)
    return result
  }

  /// An invalid result, and the reason why the service drops it.
  struct Rubbish: Sendable {
    let reason: ResultDropReason
    let result: V1.EngineResult

    init(_ reason: ResultDropReason, _ change: (inout V1.EngineResult) -> Void) {
      (self.reason, result) = (reason, TranscriptionInputTests.result(change))
    }
  }

  static let rubbish: [Rubbish] = [
    Rubbish(.malformedStream) { $0.streamID = "" },
    Rubbish(.malformedStream) { $0.streamID = String(repeating: "s", count: 65) },
    Rubbish(.malformedUtterance) { $0.utterance = 0 },
    Rubbish(.malformedUtterance) { $0.utterance = .max },
    Rubbish(.malformedTimes) { $0.startSample = 1_601 },
    Rubbish(.malformedTimes) { $0.endSample = .max },
    // This value is negative as a signed number.
    Rubbish(.malformedTimes) { $0.startSample = UInt64(bitPattern: -1) },
    Rubbish(.malformedUtterance) { $0.alternatives = [] },
    Rubbish(.tooLarge) { $0.alternatives = .init(repeating: $0.alternatives[0], count: 11) },
    Rubbish(.tooLarge) {
      $0.alternatives[0].words = .init(repeating: $0.alternatives[0].words[0], count: 2_001)
    },
    Rubbish(.malformedWords) { $0.alternatives[0].words[0].content = "" },
    Rubbish(.malformedWords) { $0.alternatives[0].words[0].content = "two\nlines" },
    Rubbish(.malformedWords) { $0.alternatives[0].words[0].content = "a\u{1B}[2J" },
    Rubbish(.malformedWords) {
      $0.alternatives[0].words[0].content = String(repeating: "a", count: 257)
    },
    Rubbish(.malformedTimes) { $0.alternatives[0].words[0].startSample = 2_000 },
    Rubbish(.malformedWords) { $0.alternatives[0].words[0].type = .unrecognized(9) },
    Rubbish(.malformedWords) { $0.alternatives[0].words[0].certainty = .confidence(.nan) },
    Rubbish(.malformedWords) { $0.alternatives[0].words[0].certainty = .confidence(1.5) },
    Rubbish(.malformedLanguage) { $0.languageCode = "not a language" },
    Rubbish(.malformedLanguage) { $0.translatedFrom = "x" },
    Rubbish(.malformedEntities) {
      $0.alternatives[0].entities = [
        V1.EngineEntity(type: "NAME", category: "PII", firstWord: .max, wordCount: .max)
      ]
    },
    Rubbish(.malformedEntities) {
      $0.alternatives[0].entities = [
        V1.EngineEntity(type: "NAME", category: "SECRET", wordCount: 1)
      ]
    },
    Rubbish(.tooLarge) {
      $0.alternatives[0].entities = .init(
        repeating: V1.EngineEntity(type: "NAME", category: "PII", wordCount: 1), count: 201)
    },
    Rubbish(.malformedLanguage) {
      $0.languageIdentification = [.init(languageCode: "en-US", score: -.infinity)]
    },
    Rubbish(.tooLarge) {
      $0.languageIdentification = .init(
        repeating: .init(languageCode: "en-US", score: 1), count: 21)
    },
  ]

  @Test(arguments: rubbish.indices)
  func `an invalid result is dropped, and the rest of its report is kept`(index: Int) throws {
    let rubbish = Self.rubbish[index]
    let report = TranscriptionEngineReport(
      V1.ReportResultsRequest(
        engineID: "e", results: [Self.result(), rubbish.result, Self.result()],
        progress: [V1.EngineProgress(streamID: "s", throughSample: 1)], credit: 3))
    #expect(report.results.count == 2)
    #expect(report.rejected.map(\.fault.reason) == [rubbish.reason])
    #expect(report.progress.count == 1)
    #expect(report.credit == 3)
  }

  @Test func `the first entries of a report with too many entries are kept`() {
    let most = EngineLimits.entries
    let report = TranscriptionEngineReport(
      V1.ReportResultsRequest(
        results: .init(repeating: Self.result(), count: most + 1),
        progress: .init(repeating: V1.EngineProgress(streamID: "s"), count: most + 2),
        failures: .init(repeating: V1.EngineFailure(streamID: "s"), count: most + 3),
        credit: .max))
    #expect(report.results.count == most)
    #expect(report.rejected.map(\.fault.reason) == [.tooManyEntries])
    #expect(report.progress.count == most)
    #expect(report.failures.count == most)
    #expect(report.faults.map(\.reason) == .init(repeating: .tooManyEntries, count: 5))
  }

  @Test func `invalid progress and failure entries are dropped, and valid entries are kept`() {
    let report = TranscriptionEngineReport(
      V1.ReportResultsRequest(
        progress: [
          V1.EngineProgress(streamID: "s", throughSample: .max), V1.EngineProgress(),
          V1.EngineProgress(streamID: "s", throughSample: 5),
        ],
        failures: [
          V1.EngineFailure(streamID: String(repeating: "s", count: 65)),
          V1.EngineFailure(streamID: "s"),
        ]))
    #expect(report.progress.map(\.through) == [5])
    #expect(report.failures == [SpeechStreamID("s")])
    #expect(
      report.faults.map(\.reason) == [.malformedTimes, .malformedStream, .malformedStream])
  }

  @Test(arguments: [
    V1.TranscriptionConfiguration(languageCode: "en-US", isLanguageIdentified: true),
    .init(languageOptions: ["en-US", "de-DE"]),
    .init(isLanguageIdentified: true, languageOptions: ["en-US"]),
    .init(isLanguageIdentified: true, languageOptions: ["en-US", "en-GB"]),
    .init(isLanguageIdentified: true, preferredLanguage: "en-US"),
    .init(
      isLanguageIdentified: true, languageOptions: ["en-US", "de-DE"], preferredLanguage: "fr-FR"),
    .init(isLanguageIdentified: true, languageModelName: "legal"),
    .init(isLanguageIdentified: true, contentRedaction: .pii),
    .init(contentIdentification: .pii, contentRedaction: .pii),
    .init(piiEntityTypes: ["NAME"]),
  ])
  func `settings that contradict each other are refused`(
    configuration: V1.TranscriptionConfiguration
  ) {
    let error = #expect(throws: InvalidModelValue.self) {
      try TranscriptionSettings(configuration)
    }
    #expect(error?.status.code == .invalidArgument)
  }

  @Test(arguments: [
    V1.TranscriptionConfiguration(languageCode: "no language"),
    .init(engine: "a b"), .init(phrases: .init(repeating: "p", count: 1_001)),
    .init(filteredWords: [String(repeating: "w", count: 257)]), .init(phrases: [""]),
    .init(vocabularyFilterMethod: .unrecognized(7)), .init(translateTo: [""]),
    .init(contentRedaction: .unrecognized(3)),
  ])
  func `invalid settings are refused`(configuration: V1.TranscriptionConfiguration) {
    #expect(throws: InvalidModelValue.self) { try TranscriptionSettings(configuration) }
  }

  @Test func `invalid requests of an engine are refused and later requests are served`()
    async throws
  {
    try await withTranscription { fixture in
      try await fixture.withEngine(attaches: false) { engine in
        await engine.begin(V1.AttachEngineRequest(engineID: "no spaces", credit: 1))
        let ends = try await engine.heard.wait(for: "the refusal") { !$0.isEmpty }
        guard case .end(let status) = ends.first else { throw CancellationError() }
        #expect(status?.code == .invalidArgument)
      }
      try await fixture.withEngine { engine in
        try await fixture.gateway.start()
        let unknown = await #expect(throws: Status.self) {
          try await engine.report(V1.ReportResultsRequest(engineID: "somebody-else"))
        }
        #expect(unknown?.code == .notFound)
        let large = V1.EngineFailure(message: String(repeating: "x", count: 1 << 20))
        let oversized = await #expect(throws: Status.self) {
          try await engine.report(V1.ReportResultsRequest(engineID: engine.id, failures: [large]))
        }
        #expect(oversized?.code == .invalidArgument)
        let dropped = try await engine.report(
          V1.ReportResultsRequest(engineID: engine.id, results: [Self.result()]))
        #expect(dropped == 1)
        #expect(try await fixture.gateway.start())
      }
    }
  }

  @Test func `an engine stays attached after invalid results, and its next result is accepted`()
    async throws
  {
    try await withTranscription { fixture in
      try await fixture.withEngine { engine in
        let stream = try await Self.speech(at: engine, in: fixture)
        for rubbish in Self.rubbish {
          var result = rubbish.result
          if rubbish.reason != .malformedStream { result.streamID = stream }
          result.isFinal = rubbish.reason != .malformedUtterance
          let dropped = try await engine.report(
            V1.ReportResultsRequest(engineID: engine.id, results: [result]))
          #expect(dropped == 1)
        }
        let many = V1.ReportResultsRequest(
          engineID: engine.id, results: .init(repeating: Self.result(), count: 1_000))
        #expect(try await engine.report(many) == 1_000)
        let good = Self.result {
          ($0.streamID, $0.utterance, $0.isFinal) = (stream, 2, true)
        }
        #expect(
          try await engine.report(
            V1.ReportResultsRequest(engineID: engine.id, results: [good])) == 0)
        let seen = try await fixture.gateway.sees(["started", "word"])
        #expect(seen.flatMap(\.texts) == ["started", "word"])
        try await eventually("the metrics") {
          Set(Self.rubbish.map(\.reason)).allSatisfy { reason in
            fixture.dropped(reason) == Self.rubbish.count { $0.reason == reason }
          }
        }
      }
    }
  }

  @Test func `results with times out of order are dropped, and the next result is accepted`()
    async throws
  {
    try await withTranscription { fixture in
      try await fixture.withEngine { engine in
        let stream = try await Self.speech(at: engine, in: fixture)
        /// Reports a result whose words begin at the given samples, and returns whether the service
        /// drops the result.
        func report(
          _ text: String, _ utterance: UInt64, at starts: [UInt64], isFinal: Bool = false
        ) async throws -> Bool {
          let words = zip(text.split(separator: " "), starts).map { word, start in
            V1.EngineWord(content: String(word), startSample: start, endSample: start + 800)
          }
          let result = V1.EngineResult(
            streamID: stream, utterance: utterance, isFinal: isFinal,
            startSample: starts.min() ?? 0, endSample: (starts.max() ?? 0) + 800,
            alternatives: [V1.EngineAlternative(words: words)])
          let request = V1.ReportResultsRequest(engineID: engine.id, results: [result])
          return try await engine.report(request) == 1
        }
        #expect(try await !report("first words", 2, at: [4_800, 6_400]))
        // An utterance begins before an utterance with a lower number.
        #expect(try await report("earlier", 3, at: [1_600]))
        #expect(try await report("earlier", 3, at: [1_600], isFinal: true))
        // The times of the words decrease.
        #expect(try await report("first wrong", 2, at: [6_400, 4_800]))
        #expect(try await report("first wrong", 2, at: [6_400, 4_800], isFinal: true))
        #expect(try await !report("good", 4, at: [8_000], isFinal: true))
        let seen = try await fixture.gateway.sees(["first words…", "first words", "good"])
        #expect(seen.flatMap(\.texts) == ["started", "first words…", "first words", "good"])
        try await eventually("the metrics") { fixture.dropped(.backwards) == 4 }
      }
    }
  }

  /// Lets Ada speak for a second, and returns the stream in which the engine receives her speech.
  private static func speech(
    at engine: TestEngine, in fixture: TranscriptionFixture
  ) async throws -> String {
    try await fixture.gateway.start()
    try await fixture.media.followed()
    await fixture.media.say(.ada)
    let heard = try await engine.heard.wait(for: "the end of the utterance") { heard in
      heard.contains { if case .audio(_, _, _, isEnd: true) = $0 { true } else { false } }
    }
    return try #require(
      heard.compactMap { if case .started(let stream, _) = $0 { stream } else { nil } }.first)
  }

  @Test func `random bytes do not stop the service`() async throws {
    try await withTranscription { fixture in
      try await fixture.withEngine { engine in
        let stranger = try Socket(.dealer, in: ZMQContext())
        try stranger.set(.linger(.milliseconds(200)))
        try stranger.connect(to: try fixture.endpoint("engines"))
        var generator = SeededGenerator(seed: 7)
        for length in 0..<300 {
          let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
          _ = try stranger.send([MessageFrame(bytes), MessageFrame(bytes)])
        }
        #expect(try await engine.report(V1.ReportResultsRequest(engineID: engine.id)) == 0)
        #expect(try await !fixture.gateway.start())
      }
    }
  }

  @Test func `an engine cannot report under the id of another engine`() async throws {
    try await withTranscription { fixture in
      try await fixture.withEngine("engine-a") { _ in
        try await fixture.withEngine("engine-b") { other in
          let error = await #expect(throws: Status.self) {
            try await other.report(V1.ReportResultsRequest(engineID: "engine-a"))
          }
          #expect(error?.code == .notFound)
        }
      }
    }
  }

  @Test func `invalid speech chunks are dropped, and valid chunks are kept`() async throws {
    try await withTranscription { fixture in
      try await fixture.withEngine { engine in
        try await fixture.gateway.start()
        try await fixture.media.followed()
        let media = fixture.media
        let good = await media.chunk(of: .ada)
        let frame = MessageFrame(pcm: sound(milliseconds: 100))
        await media.send([good], [])
        await media.send([good], [MessageFrame([1, 2, 3])])
        var nobody = good
        nobody.attendee = nil
        await media.send([nobody], [frame])
        var long = good
        long.samples = .max
        await media.send([long, good], [frame, frame])
        await media.say(.ada, milliseconds: 200)
        try await engine.heard.wait(for: "the end of the utterance") { heard in
          heard.contains { if case .audio(_, _, _, isEnd: true) = $0 { true } else { false } }
        }
        let samples = engine.heard.entries.reduce(0) { sum, heard in
          if case .audio(_, _, let samples, _) = heard { sum + samples } else { sum }
        }
        #expect(samples == 3 * 1_600)
      }
    }
  }

  @Test func `after a hundred successive starts, the meeting has one transcription`() async throws {
    try await withTranscription { fixture in
      try await fixture.withEngine { _ in
        for number in 0..<100 {
          try await fixture.gateway.start(
            V1.TranscriptionConfiguration(languageCode: "en-US", phrases: ["phrase \(number)"]))
        }
        try await fixture.gateway.sees(Array(repeating: "started", count: 100))
        #expect(try await fixture.gateway.snapshot().status?.type == .started)
      }
    }
  }
}
