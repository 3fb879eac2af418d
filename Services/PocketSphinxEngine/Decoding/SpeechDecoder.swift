internal import CPocketSphinx

/// PocketSphinx: one utterance after the other, 16 kHz, one channel. It has one owner and one thread
/// at a time.
@safe final class SpeechDecoder {
  private let handle: OpaquePointer
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
  }

  deinit { _ = unsafe ps_free(handle) }

  /// Hears samples; the first ones begin an utterance.
  ///
  /// - Throws: ``PocketSphinxError/decoderFailed``; the utterance is over then.
  func hear(_ samples: [Int16]) throws(PocketSphinxError) {
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

  /// What was heard of the utterance so far.
  var partial: [RecognizedWord] { isInUtterance ? words(areFinal: false) : [] }

  /// Ends the utterance.
  ///
  /// - Returns: What was heard.
  func finish() throws(PocketSphinxError) -> [RecognizedWord] {
    guard isInUtterance else { return [] }
    isInUtterance = false
    guard unsafe ps_end_utt(handle) == 0 else { throw .decoderFailed }
    return words(areFinal: true)
  }

  private func words(areFinal: Bool) -> [RecognizedWord] {
    // Without a hypothesis there may still be a path of silences.
    var score: Int32 = 0
    guard unsafe ps_get_hyp(handle, &score) != nil else { return [] }
    var words: [RecognizedWord] = []
    var segment = unsafe ps_seg_iter(handle)
    while let current = unsafe segment {
      if let word = unsafe word(at: current, isFinal: areFinal) { words.append(word) }
      unsafe segment = unsafe ps_seg_next(current)
    }
    return words
  }

  /// The word of a segment; `nil` for silence and noise.
  @unsafe private func word(
    at segment: OpaquePointer, isFinal: Bool
  ) -> RecognizedWord? {
    guard let name = unsafe ps_seg_word(segment), let raw = unsafe String(validatingCString: name)
    else { return nil }
    guard let first = raw.first, first != "<", first != "[" else { return nil }
    var (start, end): (Int32, Int32) = (0, 0)
    unsafe ps_seg_frames(segment, &start, &end)
    let probability = isFinal ? unsafe cpocketsphinx_probability(handle, segment) : nil
    return RecognizedWord(
      // `read(2)` is the second pronunciation of `read`.
      text: raw.split(separator: "(").first.map(String.init) ?? raw,
      start: UInt64(max(0, start)) * Self.frame, end: UInt64(max(start, end) + 1) * Self.frame,
      confidence: probability.map { min(max($0, 0), 1) })
  }
}
