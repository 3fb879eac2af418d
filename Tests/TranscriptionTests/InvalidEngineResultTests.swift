import MeetingModel
import Testing
import Wire

@testable import Transcription

/// Tests of invalid results. An error in an utterance affects only that utterance.
@Suite struct InvalidEngineResultTests {
  private let bench = TranscriptionBench()

  /// Lets Ada speak and an engine receive her speech.
  private func begin() throws -> SpeechStreamID {
    try bench.attach("one")
    try bench.start()
    bench.say(.ada)
    return try #require(bench.streams(at: "one").first)
  }

  private func rejected(
    _ stream: SpeechStreamID?, utterance: UInt64 = 1, isFinal: Bool = true, end: UInt64? = 9_600,
    _ reason: ResultDropReason = .malformedWords
  ) -> TranscriptionEngineReport {
    TranscriptionEngineReport(rejected: [
      InvalidEngineResult(
        stream: stream, utterance: utterance, isFinal: isFinal, end: end,
        fault: ResultFault(reason, "content", "text"))
    ])
  }

  private var notes: [Int] { bench.rejections.map(\.count) }

  @Test func `after an invalid final result, the last shown text of the utterance becomes final`()
    throws
  {
    let stream = try begin()
    try bench.report("one", [.saying("hello")], of: stream)
    #expect(bench.texts() == ["hello…"])
    #expect(try bench.take(rejected(stream), from: "one") == 1)
    #expect(bench.texts() == ["hello"])
    try bench.report("one", [.saying("hello there", isFinal: true)], of: stream)
    #expect(bench.texts() == [])
    try bench.report("one", [.saying("good", utterance: 2, at: 300, isFinal: true)], of: stream)
    #expect(bench.texts() == ["good"])
  }

  @Test func `speech of an invalid final result is not sent again when the engine reattaches`()
    throws
  {
    let stream = try begin()
    let last = try #require(bench.audio(at: "one").last)
    let end = last.firstSample + UInt64(last.samples.count)
    try bench.take(rejected(stream, end: end), from: "one")
    bench.detach("one")
    try bench.attach("one")
    bench.wait(.seconds(1))
    #expect(bench.allStarted(at: "one").isEmpty)
    bench.say(.ada)
    #expect(bench.streams(at: "one").count == 1)
  }

  @Test func `an invalid partial result is dropped, and the utterance stays open`() throws {
    let stream = try begin()
    try bench.report("one", [.saying("hello")], of: stream)
    try bench.take(rejected(stream, isFinal: false), from: "one")
    #expect(bench.texts() == ["hello…"])
    try bench.report("one", [.saying("hello there", isFinal: true)], of: stream)
    #expect(bench.texts() == ["hello there"])
  }

  @Test func `a final result with decreasing times ends the utterance of the result`() throws {
    let stream = try begin()
    var backwards = EngineResult.saying("hello there", isFinal: true)
    backwards.alternatives[0].words.reverse()
    #expect(try bench.report("one", [.saying("hello"), backwards], of: stream) == 1)
    #expect(bench.texts() == ["hello…", "hello"])
  }

  @Test(arguments: [nil, "nobody's"])
  func `an invalid result of an unknown stream changes no utterance`(name: String?) throws {
    let stream = try begin()
    try bench.report("one", [.saying("hello")], of: stream)
    try bench.take(rejected(name.map { SpeechStreamID($0) }, .malformedStream), from: "one")
    #expect(bench.texts() == ["hello…"])
  }

  @Test func `an engine cannot end an utterance of another engine`() throws {
    let stream = try begin()
    try bench.attach("two")
    try bench.report("one", [.saying("hello")], of: stream)
    try bench.take(rejected(stream), from: "two")
    #expect(bench.texts() == ["hello…"])
  }

  @Test func `the highest utterance and sample numbers do not stop a transcription`() throws {
    let stream = try begin()
    for utterance in [UInt64.max, EngineLimits.utterances] {
      let report = TranscriptionEngineReport(
        V1.ReportResultsRequest(
          results: [
            V1.EngineResult(
              streamID: stream.text, utterance: utterance, isFinal: true, endSample: 1)
          ]))
      try bench.take(report, from: "one")
      try bench.take(rejected(stream, utterance: utterance, end: EngineLimits.samples), from: "one")
    }
    #expect(bench.statuses() == [.started])
  }

  @Test func `invalid results of an engine do not interrupt a transcription`() throws {
    let stream = try begin()
    for _ in 0..<100 {
      try bench.take(rejected(stream), from: "one")
      bench.wait(.milliseconds(100))
    }
    #expect(bench.statuses() == [.started])
    #expect(bench.streams(at: "one") == [stream])
    #expect(bench.core.droppedResults[.malformedWords] == 100)
  }

  @Test func `the log has one line a minute per rejection reason, with the count`() throws {
    let stream = try begin()
    for _ in 0..<100 { try bench.take(rejected(stream), from: "one") }
    try bench.take(rejected(nil, .malformedStream), from: "one")
    #expect(notes == [1, 1])
    #expect(bench.rejections.first?.engine == "one")
    #expect(bench.rejections.first?.fault.cause == "Not a valid content: it must be text.")
    try bench.attach("two")
    for _ in 0..<70 {
      bench.wait(.seconds(1))
      try bench.report("two")
    }
    try bench.take(rejected(nil), from: "two")
    #expect(notes == [1, 1, 100])
  }
}
