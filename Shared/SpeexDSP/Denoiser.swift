internal import CSpeexDSP

/// Takes steady noise (a fan, a road) out of speech, in place.
///
/// It learns the noise from what it hears, within about a second, and lets through what rises above
/// it. It has one owner and one thread at a time, and delays nothing by more than one frame.
@safe public struct Denoiser: ~Copyable {
  private let handle: OpaquePointer
  /// Samples that each call takes.
  public let frameSize: Int

  /// - Parameters:
  ///   - sampleRate: In Hz.
  ///   - frameSize: Samples of 10–20 ms.
  ///   - suppression: How far noise is lowered, in dB: 0–60.
  public init(
    sampleRate: Int = 48_000, frameSize: Int = 480, suppression: Int = 25
  ) throws(SpeexError) {
    guard (0...60).contains(suppression), frameSize > 0, sampleRate > 0,
      let handle = unsafe speex_preprocess_state_init(
        Int32(clamping: frameSize), Int32(clamping: sampleRate))
    else { throw .cannotStart }
    var isOn: Int32 = 1
    var isOff: Int32 = 0
    var limit = Int32(-suppression)
    unsafe speex_preprocess_ctl(handle, SPEEX_PREPROCESS_SET_DENOISE, &isOn)
    unsafe speex_preprocess_ctl(handle, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, &limit)
    // Automatic gain would lift the noise between words.
    unsafe speex_preprocess_ctl(handle, SPEEX_PREPROCESS_SET_AGC, &isOff)
    unsafe self.handle = unsafe handle
    self.frameSize = frameSize
  }

  deinit { unsafe speex_preprocess_state_destroy(handle) }

  /// Lowers the noise in one frame of one channel.
  public mutating func process(_ frame: inout MutableSpan<Int16>) {
    precondition(frame.count == frameSize, "A denoiser takes frames of its own size.")
    unsafe frame.withUnsafeMutableBufferPointer { frame in
      _ = unsafe speex_preprocess_run(handle, frame.baseAddress)
    }
  }
}
