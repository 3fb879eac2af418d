internal import CPocketSphinx

/// Cepstral mean normalisation: what the decoder takes for the mean of its talker's cepstra.
///
/// It is in no utterance meanwhile.
extension SpeechDecoder {
  /// The mean that it subtracts; empty with a model that does without.
  var mean: [Float] {
    guard let normalization = unsafe normalization else { return [] }
    return unsafe Array(
      UnsafeBufferPointer(
        start: normalization.pointee.cmn_mean, count: Int(normalization.pointee.veclen)))
  }

  /// Subtracts the mean of some speech from what it hears next, until it has heard enough of the
  /// talker to change it.
  ///
  /// - Throws: ``PocketSphinxError/decoderFailed``.
  func adapt(to speech: [Int16]) throws(PocketSphinxError) {
    guard let mean = try mean(of: speech) else { return }
    subtract(mean)
  }

  /// Begins again with the model's mean, as if it had heard nothing yet.
  func forgetMean() {
    subtract(modelMean)
    guard let normalization = unsafe normalization else { return }
    for index in modelMean.indices { unsafe normalization.pointee.sum[index] = 0 }
    unsafe normalization.pointee.nframe = 0
    startStream()
  }

  /// The mean over the frames of some speech, as the decoder's own front end makes them; `nil` if
  /// there is none to be had.
  private func mean(of speech: [Int16]) throws(PocketSphinxError) -> [Float]? {
    let frontEnd = unsafe ps_get_fe(handle)
    let size = modelMean.count
    guard size > 0, unsafe Int(fe_get_output_size(frontEnd)) == size else { return nil }
    startStream()
    defer { startStream() }
    var block: UnsafeMutablePointer<UnsafeMutablePointer<mfcc_t>?>?
    var count: Int32 = 0
    guard unsafe fe_start_utt(frontEnd) >= 0,
      unsafe fe_process_utt(frontEnd, speech, speech.count, &block, &count) >= 0,
      let frames = unsafe block
    else { throw .decoderFailed }
    defer { unsafe fe_free_2d(frames) }
    var (sum, counted) = ([Float](repeating: 0, count: size), 0)
    for number in 0..<Int(count) {
      // Frames without energy do not count for the decoder either.
      guard let frame = unsafe frames[number], unsafe frame[0] >= 0 else { continue }
      for index in sum.indices { sum[index] += unsafe frame[index] }
      counted += 1
    }
    return counted > 0 ? sum.map { $0 / Float(counted) } : nil
  }

  private func subtract(_ mean: [Float]) {
    guard let normalization = unsafe normalization else { return }
    for index in mean.indices { unsafe normalization.pointee.cmn_mean[index] = mean[index] }
  }

  /// What the front end takes for noise is one talker's, too.
  private func startStream() { _ = unsafe ps_start_stream(handle) }

  private var normalization: UnsafeMutablePointer<cmn_t>? {
    unsafe ps_get_feat(handle).pointee.cmn_struct
  }
}
