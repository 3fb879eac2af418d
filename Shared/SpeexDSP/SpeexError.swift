/// What libspeexdsp refuses.
public enum SpeexError: Error, Hashable {
  /// No memory for its state, or rates that it does not know.
  case cannotStart
  /// An error of the resampler, by its number.
  case failed(code: Int32)
}
