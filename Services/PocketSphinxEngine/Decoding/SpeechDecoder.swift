internal import CPocketSphinx

/// PocketSphinx: one talker's utterances, one after the other, 16 kHz, one channel. It has one
/// owner and one thread at a time.
///
/// It adapts to its talker, as ``OpeningSpeech`` says: there are no partial results before two
/// seconds of speech.
@safe final class SpeechDecoder {
  let handle: OpaquePointer

  /// The mean of the cepstra that it begins with; empty with a model that does without.
  private(set) var modelMean: [Float] = []

  private var opening = OpeningSpeech()

  /// Whether the library hears an utterance: all of one but speech that is held back.
  private var isInUtterance = false

  /// Samples of one of its frames.
  private static let frame: UInt64 = 160

  /// Loads the model, which takes most of a second.
  ///
  /// - Throws: ``PocketSphinxError``.
  init(_ model: SpeechModel) throws(PocketSphinxError) {
    try model.check()
    cpocketsphinx_be_quiet()
    let handle = unsafe cpocketsphinx_decoder(model.sounds, model.words, model.dictionary)
    guard let handle = unsafe handle else { throw .modelRefused(path: model.sounds) }
    unsafe self.handle = unsafe handle
    modelMean = mean
  }

  deinit { _ = unsafe ps_free(handle) }

  /// Forgets whom it heard: the next utterance is another talker's. It is in no utterance.
  func forgetTalker() {
    precondition(!isInUtterance && heldBack == 0, "Finish the utterance before changing talkers.")
    opening = OpeningSpeech()
    forgetMean()
  }

  /// Hears samples; the first ones begin an utterance.
  ///
  /// - Throws: ``PocketSphinxError/decoderFailed``; the utterance is over then.
  func hear(_ samples: [Int16]) throws(PocketSphinxError) { try perform(opening.take(samples)) }

  /// How many samples it has taken and not heard: those of the whole utterance so far, or none.
  var heldBack: Int { opening.held }

  /// What was heard of the utterance so far.
  var partial: [RecognizedWord] { isInUtterance ? words(areFinal: false) : [] }

  /// Ends the utterance.
  ///
  /// - Returns: What was heard.
  func finish() throws(PocketSphinxError) -> [RecognizedWord] {
    if let step = opening.endUtterance() { try perform(step) }
    guard isInUtterance else { return [] }
    isInUtterance = false
    guard unsafe ps_end_utt(handle) == 0 else { throw .decoderFailed }
    return words(areFinal: true)
  }

  private func perform(_ step: OpeningSpeech.Step) throws(PocketSphinxError) {
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
    // Without a hypothesis there may still be a path of silences.
    var score: Int32 = 0
    guard unsafe ps_get_hyp(handle, &score) != nil else { return [] }
    var words: [RecognizedWord] = []
    var segment = unsafe ps_seg_iter(handle)
    // The library counts frames through all utterances; the first segment begins with this one's.
    let origin = unsafe segment.map { unsafe frames(of: $0).start } ?? 0
    while let current = unsafe segment {
      if let word = unsafe word(at: current, since: origin, isFinal: areFinal) {
        words.append(word)
      }
      unsafe segment = unsafe ps_seg_next(current)
    }
    return words
  }

  /// The word of a segment; `nil` for silence and noise.
  ///
  /// - Parameter origin: The utterance's first frame.
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

  /// Its first and last frame.
  @unsafe private func frames(of segment: OpaquePointer) -> (start: Int32, end: Int32) {
    var (start, end): (Int32, Int32) = (0, 0)
    unsafe ps_seg_frames(segment, &start, &end)
    return (start, end)
  }
}
