internal import CSpeexDSP

/// Converts the sample rate of a stream of one channel. A resampler has one owner, and only one
/// thread at a time uses it.
@safe public struct Resampler: ~Copyable {
  private let handle: OpaquePointer

  /// Creates a resampler.
  ///
  /// - Parameters:
  ///   - inputRate: The sample rate of the input in Hz.
  ///   - outputRate: The sample rate of the output in Hz.
  ///   - quality: The quality, 0–10. A quality of 3 is enough for speech.
  public init(from inputRate: Int, to outputRate: Int, quality: Int = 3) throws(SpeexError) {
    var code: Int32 = 0
    guard inputRate > 0, outputRate > 0,
      let handle = unsafe speex_resampler_init(
        1, UInt32(clamping: inputRate), UInt32(clamping: outputRate), Int32(clamping: quality),
        &code)
    else { throw .cannotStart }
    // Otherwise the output would begin with the zeros that the filter starts with.
    unsafe speex_resampler_skip_zeros(handle)
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe speex_resampler_destroy(handle) }

  /// Converts samples until `input` is used up or `output` is full.
  ///
  /// - Returns: The number of samples read from `input`, and the number of samples written to
  ///   `output`.
  public mutating func process(
    _ input: Span<Int16>, into output: inout MutableSpan<Int16>
  ) throws(SpeexError) -> (consumed: Int, produced: Int) {
    var consumed = UInt32(clamping: input.count)
    var produced = UInt32(clamping: output.count)
    let code = unsafe input.withUnsafeBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        guard let from = input.baseAddress, let to = output.baseAddress else {
          (consumed, produced) = (0, 0)
          return Int32(0)
        }
        return unsafe speex_resampler_process_int(handle, 0, from, &consumed, to, &produced)
      }
    }
    guard code == 0 else { throw .failed(code: code) }
    return (Int(consumed), Int(produced))
  }

  /// Resets the resampler to its initial state.
  public mutating func reset() {
    _ = unsafe speex_resampler_reset_mem(handle)
    _ = unsafe speex_resampler_skip_zeros(handle)
  }
}
