internal import CSpeexDSP

/// Removes steady noise, such as the noise of a fan or a road, from speech in place.
///
/// The denoiser estimates the noise from its input within about a second, and passes sound that is
/// louder than the noise. The delay is at most one frame. A denoiser has one owner, and only one
/// thread at a time uses it.
@safe public struct Denoiser: ~Copyable {
  private let handle: OpaquePointer
  /// The number of samples in a frame.
  public let frameSize: Int

  /// Creates a denoiser.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in Hz.
  ///   - frameSize: The number of samples in a frame of 10–20 ms.
  ///   - suppression: The maximum attenuation of noise in dB, 0–60.
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
    // Automatic gain control would amplify the noise between words.
    unsafe speex_preprocess_ctl(handle, SPEEX_PREPROCESS_SET_AGC, &isOff)
    unsafe self.handle = unsafe handle
    self.frameSize = frameSize
  }

  deinit { unsafe speex_preprocess_state_destroy(handle) }

  /// Attenuates the noise in one frame of one channel.
  public mutating func process(_ frame: inout MutableSpan<Int16>) {
    precondition(frame.count == frameSize, "A denoiser takes frames of its own size.")
    unsafe frame.withUnsafeMutableBufferPointer { frame in
      _ = unsafe speex_preprocess_run(handle, frame.baseAddress)
    }
  }
}
