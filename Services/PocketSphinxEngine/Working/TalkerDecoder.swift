import Wire

/// One stream's speech, heard by a decoder of its own: utterances with partial and final results.
/// Pieces come in order.
struct TalkerDecoder {
  let stream: String
  let decoder: SpeechDecoder
  private var utterance: UInt64 = 0

  /// The pieces of the utterance that is going on: where each is in it, and in the stream.
  private var pieces: [(offset: UInt64, place: UInt64)] = []
  private var heard: UInt64 = 0
  private var sincePartial: UInt64 = 0
  private var lastPartial: [RecognizedWord] = []

  /// How many samples lie between two partial results: 300 ms.
  private static let partialInterval: UInt64 = 4_800

  /// Whether somebody reads partial results.
  private let wantsPartials: Bool

  /// - Parameter decoder: Nobody else's; it is in no utterance. It forgets whom it heard before.
  init(_ started: V1.EngineStreamStarted, _ decoder: SpeechDecoder) {
    stream = started.streamID
    wantsPartials = started.wantsPartials
    self.decoder = decoder
    decoder.forgetTalker()
  }

  /// Where speech begins that it has taken and not heard yet; `nil` if there is none.
  var heldBack: UInt64? { decoder.heldBack > 0 ? pieces.first?.place : nil }

  /// Hears a piece.
  ///
  /// - Returns: What it brought, at most one result.
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

  /// Ends the utterance that is going on.
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

  /// Where a sample of the utterance is in the stream, across speech that was dropped.
  private func place(of sample: UInt64, isEnd: Bool = false) -> UInt64 {
    let sample = min(sample, heard)
    let piece = pieces.last { isEnd ? $0.offset < sample : $0.offset <= sample } ?? pieces.first
    return piece.map { $0.place + (sample - $0.offset) } ?? 0
  }
}
