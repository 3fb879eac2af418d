import Wire

/// The recognition of one stream. The type groups the stream's speech into utterances, and returns
/// the partial and final results of these utterances. The caller must pass in the chunks of speech
/// in order.
struct TalkerRecognizer {
  let stream: String
  let decoder: PocketSphinxDecoder
  private var utterance: UInt64 = 0

  /// The chunks of the current utterance: the offset of each chunk in the utterance, and the
  /// position of the chunk in the stream.
  private var pieces: [(offset: UInt64, place: UInt64)] = []
  private var heard: UInt64 = 0
  private var sincePartial: UInt64 = 0
  private var lastPartial: [RecognizedWord] = []

  /// The minimum number of samples between two partial results: 300 ms.
  private static let partialInterval: UInt64 = 4_800

  /// Whether `transcription` requests partial results.
  private let wantsPartials: Bool

  /// Creates a recognizer for a stream, and prepares the decoder for the stream's talker.
  ///
  /// - Parameter decoder: A decoder that only this value uses and that is between utterances.
  init(_ started: V1.EngineStreamStarted, _ decoder: PocketSphinxDecoder) {
    stream = started.streamID
    wantsPartials = started.wantsPartials
    self.decoder = decoder
    decoder.forgetTalker()
  }

  /// The position, in the stream, of the first sample that the decoder has not decoded yet; `nil`
  /// if there is no such sample.
  var heldBack: UInt64? { decoder.heldBack > 0 ? pieces.first?.place : nil }

  /// Decodes a chunk of speech.
  ///
  /// - Returns: A partial or final result; `nil` if there is nothing to report.
  /// - Throws: ``PocketSphinxError/decoderFailed``.
  mutating func hear(
    _ audio: V1.EngineAudio, _ samples: [Int16]
  ) throws(PocketSphinxError) -> V1.EngineResult? {
    if pieces.isEmpty, samples.isEmpty { return nil }
    if !samples.isEmpty {
      pieces.append((heard, audio.firstSample))
      heard += UInt64(samples.count)
      sincePartial += UInt64(samples.count)
      try decoder.hear(samples)
    }
    if audio.isEndOfUtterance { return try finish() }
    guard wantsPartials, decoder.heldBack == 0, sincePartial >= Self.partialInterval else {
      return nil
    }
    sincePartial = 0
    let words = decoder.partial
    guard !words.isEmpty, words != lastPartial else { return nil }
    lastPartial = words
    return result(words, isFinal: false)
  }

  /// Ends the current utterance.
  ///
  /// - Returns: The final result; `nil` if there is no utterance.
  mutating func finish() throws(PocketSphinxError) -> V1.EngineResult? {
    guard !pieces.isEmpty else { return nil }
    let words = try decoder.finish()
    defer { (pieces, heard, sincePartial, lastPartial) = ([], 0, 0, []) }
    let final = result(words, isFinal: true)
    utterance += 1
    return final
  }

  private func result(_ words: [RecognizedWord], isFinal: Bool) -> V1.EngineResult {
    let start = place(of: 0)
    let end = place(of: heard, isEnd: true)
    let heardWords = words.map { word in
      V1.EngineWord(
        content: word.text, startSample: min(place(of: word.start), end),
        endSample: min(place(of: word.end, isEnd: true), end), type: .pronunciation,
        certainty: word.confidence.map { .confidence($0) })
    }
    return V1.EngineResult(
      streamID: stream, utterance: utterance + 1, isFinal: isFinal, startSample: start,
      endSample: end,
      alternatives: words.isEmpty ? [] : [V1.EngineAlternative(words: heardWords)])
  }

  /// Returns the position, in the stream, of one of the utterance's samples. The position also
  /// counts speech that the sender dropped between chunks.
  private func place(of sample: UInt64, isEnd: Bool = false) -> UInt64 {
    let sample = min(sample, heard)
    let piece = pieces.last { isEnd ? $0.offset < sample : $0.offset <= sample } ?? pieces.first
    return piece.map { $0.place + (sample - $0.offset) } ?? 0
  }
}
