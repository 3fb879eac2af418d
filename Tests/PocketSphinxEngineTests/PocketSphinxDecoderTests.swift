import TestSupport
import Testing
import Wire

@testable import PocketSphinxEngine

@Suite(.serialized, .timeLimit(.minutes(5))) struct PocketSphinxDecoderTests {
  private let model = SpeechModel(directory: "/usr/share/pocketsphinx/model/en-us")

  /// Sentences for the tests. Trials showed that the decoder recognises these sentences well
  /// without the service.
  static let sentences = [
    "the meeting will begin in ten minutes",
    "please send me the report by tomorrow morning",
    "we should talk about the plan for next year",
  ]

  @Test(arguments: sentences) func `recognized words have times and confidence`(
    sentence: String
  ) async throws {
    let samples = try await Flite.speak(sentence)
    let decoder = try PocketSphinxDecoder(model)
    #expect(decoder.partial.isEmpty)
    try decoder.hear(samples)
    let words = try decoder.finish()
    let heard = words.map(\.text).joined(separator: " ")
    print("direct: \(heard) (\(wordErrorRate(heard, sentence)))")
    #expect(wordErrorRate(heard, sentence) <= 0.3)
    #expect(zip(words, words.dropFirst()).allSatisfy { $0.start < $1.start && $0.end <= $1.end })
    #expect(words.allSatisfy { (0...1).contains($0.confidence ?? -1) })
    #expect((words.last?.end ?? 0) <= UInt64(samples.count) + 160)
    #expect(try decoder.finish().isEmpty)
  }

  @Test func `the times of words count from the start of the utterance`() async throws {
    let decoder = try PocketSphinxDecoder(model)
    for sentence in Self.sentences {
      let samples = try await Flite.speak(sentence)
      try decoder.hear(samples)
      let partial = decoder.partial
      let words = try decoder.finish()
      // Sentences of flite start and end with less than half a second of silence.
      for heard in [partial, words] {
        let (first, last) = (try #require(heard.first), try #require(heard.last))
        #expect(first.start < 8_000)
        #expect((samples.count - 8_000...samples.count + 160).contains(Int(last.end)))
      }
    }
  }

  @Test func `silence produces no words`() throws {
    let decoder = try PocketSphinxDecoder(model)
    try decoder.hear([Int16](repeating: 0, count: 16_000))
    #expect(try decoder.finish().isEmpty)
  }

  @Test func `the error for a missing model names the model's path`() {
    let error = #expect(throws: PocketSphinxError.self) {
      _ = try PocketSphinxDecoder(SpeechModel(directory: "/nowhere"))
    }
    #expect(error == .missing(path: "/nowhere/en-us"))
  }

  @Test
  func `partial results precede the final result, and times count from the start of the stream`()
    async throws
  {
    let samples = try await Flite.speak(Self.sentences[1])
    var worker = try RecognitionWorker(model, mostStreams: 1)
    let attachment = TranscriptionAttachmentID(number: 1)
    let started = V1.EngineStreamStarted(streamID: "s", wantsPartials: true)
    _ = worker.perform(.start(started, attachment))
    let refused = worker.perform(.start(V1.EngineStreamStarted(streamID: "t"), attachment))
    #expect(refused?.failures.map(\.streamID) == ["t"])
    var results: [V1.EngineResult] = []
    for start in stride(from: 0, to: samples.count, by: 1_600) {
      let piece = Array(samples[start..<min(start + 1_600, samples.count)])
      // Transcription dropped the ten seconds of audio before this piece.
      let audio = V1.EngineAudio(
        streamID: "s", firstSample: UInt64(160_000 + start), samples: UInt32(piece.count),
        isEndOfUtterance: start + 1_600 >= samples.count)
      let outcome = worker.perform(.hear(audio, piece, attachment))
      #expect(outcome?.credit == 1)
      // The decoder has not processed the speech that still waits in the warm-up buffer.
      let isHeld = start + piece.count < CepstralWarmUpBuffer.window
      let through = 160_000 + (isHeld ? 0 : start + piece.count)
      #expect(outcome?.progress.map(\.throughSample) == [UInt64(through)])
      #expect(!isHeld || outcome?.results == [])
      results += outcome?.results ?? []
    }
    #expect(results.first?.endSample == UInt64(160_000 + CepstralWarmUpBuffer.window))
    let final = try #require(results.last)
    #expect(results.count > 2)
    #expect(results.dropLast().allSatisfy { !$0.isFinal && $0.utterance == 1 })
    #expect(final.isFinal)
    #expect(final.startSample == 160_000)
    #expect(final.endSample == UInt64(160_000 + samples.count))
    let words = try #require(final.alternatives.first).words
    #expect(words.allSatisfy { $0.startSample >= 160_000 && $0.endSample <= final.endSample })
    let ended = worker.perform(.end(V1.EngineStreamEnded(streamID: "s"), attachment))
    let taken = worker.perform(.start(V1.EngineStreamStarted(streamID: "t"), attachment))
    #expect(ended == nil && taken == nil)
  }

  @Test func `the end of a stream during an utterance makes the result final`() async throws {
    let samples = try await Flite.speak(Self.sentences[0])
    var worker = try RecognitionWorker(model, mostStreams: 1)
    let attachment = TranscriptionAttachmentID(number: 1)
    _ = worker.perform(.start(V1.EngineStreamStarted(streamID: "s"), attachment))
    let audio = V1.EngineAudio(streamID: "s", samples: UInt32(samples.count))
    _ = worker.perform(.hear(audio, samples, attachment))
    let last = worker.perform(.end(V1.EngineStreamEnded(streamID: "s"), attachment))
    #expect(last?.results.map(\.isFinal) == [true])
  }
}
