internal import CPocketSphinx

/// A PocketSphinx decoder. It recognizes the utterances of one talker, one after the other. The
/// samples have one channel, at 16 kHz. A decoder has one owner, and only one thread at a time uses
/// it.
///
/// The decoder adapts to the voice of its talker (see ``CepstralWarmUpBuffer``), so a talker's
/// first partial result needs 2 s of speech.
@safe final class PocketSphinxDecoder {
  let handle: OpaquePointer

  /// The cepstral mean in the model; empty if the model does not normalise.
  private(set) var modelMean: [Float] = []

  private var opening = CepstralWarmUpBuffer()

  /// Whether the library has begun an utterance; `false` while the buffer keeps all speech.
  private var isInUtterance = false

  /// The number of samples in a frame of the library.
  private static let frame: UInt64 = 160

  /// Loads the model. Loading takes almost a second.
  ///
  /// - Throws: ``PocketSphinxError`` if a file is missing or the model does not load.
  init(_ model: SpeechModel) throws(PocketSphinxError) {
    try model.check()
    cpocketsphinx_be_quiet()
    let handle = unsafe cpocketsphinx_decoder(model.sounds, model.words, model.dictionary)
    guard let handle = unsafe handle else { throw .modelRefused(path: model.sounds) }
    unsafe self.handle = unsafe handle
    modelMean = mean
  }

  deinit { _ = unsafe ps_free(handle) }

  /// Prepares the decoder for another talker. Call this method only between utterances.
  func forgetTalker() {
    precondition(!isInUtterance && heldBack == 0, "Finish the utterance before changing talkers.")
    opening = CepstralWarmUpBuffer()
    forgetMean()
  }

  /// Adds samples to the utterance, and begins an utterance if there is none.
  ///
  /// - Throws: ``PocketSphinxError/decoderFailed``. This error ends the utterance.
  func hear(_ samples: [Int16]) throws(PocketSphinxError) { try perform(opening.take(samples)) }

  /// The number of samples that wait in the buffer: the whole utterance so far, or 0.
  var heldBack: Int { opening.held }

  /// The words that the decoder has recognized in the utterance so far.
  var partial: [RecognizedWord] { isInUtterance ? words(areFinal: false) : [] }

  /// Ends the utterance.
  ///
  /// - Returns: The recognized words.
  func finish() throws(PocketSphinxError) -> [RecognizedWord] {
    if let step = opening.endUtterance() { try perform(step) }
    guard isInUtterance else { return [] }
    isInUtterance = false
    guard unsafe ps_end_utt(handle) == 0 else { throw .decoderFailed }
    return words(areFinal: true)
  }

  private func perform(_ step: CepstralWarmUpBuffer.Step) throws(PocketSphinxError) {
    switch step {
    case .hold:
      break
    case .adapt(let speech, let samples):
      try adapt(to: speech)
      try decode(samples)
    case .hear(let samples):
      try decode(samples)
    }
  }

  private func decode(_ samples: [Int16]) throws(PocketSphinxError) {
    if !isInUtterance {
      guard unsafe ps_start_utt(handle) == 0 else { throw .decoderFailed }
      isInUtterance = true
    }
    guard !samples.isEmpty else { return }
    let result = unsafe samples.withUnsafeBufferPointer { samples in
      unsafe ps_process_raw(handle, samples.baseAddress, samples.count, 0, 0)
    }
    guard result >= 0 else {
      _ = unsafe ps_end_utt(handle)
      isInUtterance = false
      throw .decoderFailed
    }
  }

  private func words(areFinal: Bool) -> [RecognizedWord] {
    // Without a hypothesis, the segments can still contain silences.
    var score: Int32 = 0
    guard unsafe ps_get_hyp(handle, &score) != nil else { return [] }
    var words: [RecognizedWord] = []
    var segment = unsafe ps_seg_iter(handle)
    // The library counts frames across utterances. The first segment starts with the first frame of
    // this utterance.
    let origin = unsafe segment.map { unsafe frames(of: $0).start } ?? 0
    while let current = unsafe segment {
      if let word = unsafe word(at: current, since: origin, isFinal: areFinal) {
        words.append(word)
      }
      unsafe segment = unsafe ps_seg_next(current)
    }
    return words
  }

  /// Returns the word of a segment; `nil` for silence and noise.
  ///
  /// - Parameter origin: The first frame of the utterance.
  @unsafe private func word(
    at segment: OpaquePointer, since origin: Int32, isFinal: Bool
  ) -> RecognizedWord? {
    guard let name = unsafe ps_seg_word(segment), let raw = unsafe String(validatingCString: name)
    else { return nil }
    guard let first = raw.first, first != "<", first != "[" else { return nil }
    let (start, end) = unsafe frames(of: segment)
    let probability = isFinal ? unsafe cpocketsphinx_probability(handle, segment) : nil
    return RecognizedWord(
      // `read(2)` is the second pronunciation of `read`.
      text: raw.split(separator: "(").first.map(String.init) ?? raw,
      start: UInt64(max(0, start - origin)) * Self.frame,
      end: UInt64(max(start, end) - origin + 1) * Self.frame,
      confidence: probability.map { min(max($0, 0), 1) })
  }

  /// Returns the first and the last frame of a segment.
  @unsafe private func frames(of segment: OpaquePointer) -> (start: Int32, end: Int32) {
    var (start, end): (Int32, Int32) = (0, 0)
    unsafe ps_seg_frames(segment, &start, &end)
    return (start, end)
  }
}
