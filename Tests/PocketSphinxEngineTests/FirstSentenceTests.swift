import LongComputation
import TestSupport
import Testing
import Wire

@testable import PocketSphinxEngine

/// Tests of the recognition of an unknown talker's first words.
@Suite(.longComputation, .serialized, .timeLimit(.minutes(5))) struct FirstSentenceTests {
  private let model = SpeechModel(directory: SpeechModel.debian)

  /// Ordinary English sentences, not selected for good recognition: the benchmark's sentences for
  /// the voice `slt`.
  private static let sentences = [
    "the meeting will begin in ten minutes",
    "please send me the report by tomorrow morning",
    "we should talk about the plan for next year",
    "the weather is very nice today",
    "she has worked in this office for many years",
    "the children are playing in the garden",
    "can you tell me what time it is",
    "we will have dinner at seven tonight",
    "he read a long book about the history of the war",
    "the president will speak to the country this evening",
    "my brother lives in a small town near the river",
    "there is a lot of work to do before the end of the month",
  ]

  /// Passes speech to a decoder in pieces of 100 ms, as transcription does.
  private func hear(_ samples: [Int16], _ decoder: PocketSphinxDecoder) throws -> [RecognizedWord] {
    for start in stride(from: 0, to: samples.count, by: 1_600) {
      try decoder.hear(Array(samples[start..<min(start + 1_600, samples.count)]))
    }
    return try decoder.finish()
  }

  private func errors(_ words: [RecognizedWord], _ said: String) -> Int {
    let text = words.map(\.text).joined(separator: " ")
    let rate = wordErrorRate(text, said)
    return Int((rate * Double(said.split(separator: " ").count)).rounded())
  }

  @Test
  func `a talker's first sentence is recognized as accurately as later sentences`() async throws {
    let later = try PocketSphinxDecoder(model)
    _ = try hear(try await Flite.speak("thank you very much for your help"), later)
    var (asFirst, asLater) = (0, 0)
    for sentence in Self.sentences {
      let samples = try await Flite.speak(sentence)
      asFirst += errors(try hear(samples, try PocketSphinxDecoder(model)), sentence)
      asLater += errors(try hear(samples, later), sentence)
    }
    print("words wrong of 105: \(asFirst) in first sentences, \(asLater) in later ones")
    #expect(asFirst <= asLater)
  }

  @Test func `a decoder that forgets a talker gives the same results as a new decoder`()
    async throws
  {
    let samples = try await Flite.speak(Self.sentences[0], voice: "rms")
    let new = try PocketSphinxDecoder(model)
    let used = try PocketSphinxDecoder(model)
    let mean = used.mean
    _ = try hear(try await Flite.speak(Self.sentences[1], voice: "slt"), used)
    #expect(used.mean != mean)
    used.forgetTalker()
    #expect(used.mean == mean)
    #expect(try hear(samples, used) == hear(samples, new))
    #expect(used.mean == new.mean)
  }

  @Test func `a reused decoder gives a stream the same results as a new decoder`() async throws {
    let samples = try await Flite.speak(Self.sentences[0], voice: "rms")
    let other = try await Flite.speak(Self.sentences[1], voice: "slt")
    var (fresh, used) = (
      try RecognitionWorker(model, mostStreams: 1), try RecognitionWorker(model, mostStreams: 1)
    )
    _ = say(other, in: "before", to: &used)
    #expect(say(samples, in: "s", to: &used) == say(samples, in: "s", to: &fresh))
  }

  private func say(
    _ samples: [Int16], in stream: String, to worker: inout RecognitionWorker
  ) -> [V1.EngineResult] {
    let attachment = TranscriptionAttachmentID(number: 1)
    _ = worker.perform(.start(V1.EngineStreamStarted(streamID: stream), attachment))
    let audio = V1.EngineAudio(
      streamID: stream, samples: UInt32(samples.count), isEndOfUtterance: true)
    let outcome = worker.perform(.hear(audio, samples, attachment))
    _ = worker.perform(.end(V1.EngineStreamEnded(streamID: stream), attachment))
    return outcome?.results ?? []
  }

  @Test func `short first utterances are recognized, and the words have correct times`()
    async throws
  {
    let decoder = try PocketSphinxDecoder(model)
    for sentence in ["thank you", "good morning", "i would like to see the house again"] {
      let samples = try await Flite.speak(sentence)
      let words = try hear(samples, decoder)
      #expect(wordErrorRate(words.map(\.text).joined(separator: " "), sentence) <= 0.5)
      #expect(words.allSatisfy { $0.start < $0.end && $0.end <= UInt64(samples.count) + 160 })
    }
  }

  @Test func `adaptation to silence does not change the decoder`() throws {
    let decoder = try PocketSphinxDecoder(model)
    let mean = decoder.mean
    #expect(!mean.isEmpty)
    for count in [1, 100, 16_000] {
      try decoder.adapt(to: [Int16](repeating: 0, count: count))
      #expect(decoder.mean == mean)
    }
    try decoder.adapt(to: [])
    #expect(decoder.mean == mean)
  }

  @Test func `a change of talker during an utterance stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let decoder = try PocketSphinxDecoder(SpeechModel(directory: SpeechModel.debian))
      try decoder.hear([1, 2, 3])
      decoder.forgetTalker()
    }
    let said = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(said.contains("Finish the utterance before changing talkers."))
  }
}
