internal import CPocketSphinx

/// Cepstral mean normalisation: access to the cepstral mean that the decoder subtracts.
///
/// Call these functions only between utterances.
extension PocketSphinxDecoder {
  /// The mean that the decoder subtracts; empty if the model does not normalise.
  var mean: [Float] {
    guard let normalization = unsafe normalization else { return [] }
    return unsafe Array(
      UnsafeBufferPointer(
        start: normalization.pointee.cmn_mean, count: Int(normalization.pointee.veclen)))
  }

  /// Computes the mean of the cepstra of `speech`. From now on, the decoder subtracts this mean
  /// from its input. The decoder updates the mean when it has decoded enough speech of the talker.
  ///
  /// - Throws: ``PocketSphinxError/decoderFailed``.
  func adapt(to speech: [Int16]) throws(PocketSphinxError) {
    guard let mean = try mean(of: speech) else { return }
    subtract(mean)
  }

  /// Resets the normalisation to the model's mean, as in a new decoder.
  func forgetMean() {
    subtract(modelMean)
    guard let normalization = unsafe normalization else { return }
    for index in modelMean.indices { unsafe normalization.pointee.sum[index] = 0 }
    unsafe normalization.pointee.nframe = 0
    startStream()
  }

  /// Returns the mean of the cepstra that the decoder's own front end computes from `speech`.
  ///
  /// - Returns: `nil` if the model does not normalise, or if no frame has energy.
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
      // This mean omits frames without energy, and so does the decoder's own mean.
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

  /// Resets the front end's noise estimate, which also belongs to one talker.
  private func startStream() { _ = unsafe ps_start_stream(handle) }

  private var normalization: UnsafeMutablePointer<cmn_t>? {
    unsafe ps_get_feat(handle).pointee.cmn_struct
  }
}
