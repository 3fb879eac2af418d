/// An error of libspeexdsp.
public enum SpeexError: Error, Hashable {
  /// A parameter is out of range, or there is no memory.
  case cannotStart
  /// The resampler failed with this error number.
  case failed(code: Int32)
}
