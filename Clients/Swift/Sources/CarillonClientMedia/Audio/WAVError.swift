/// The reasons why the library cannot use a sound file.
public enum WAVError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file is not RIFF WAVE, or is truncated.
  case malformed
  /// The format is not supported. The library supports only 16-bit PCM with one or two channels at
  /// 8-192 kHz.
  case unsupported(format: Int, bits: Int, channels: Int, hertz: Int)

  public var description: String {
    switch self {
    case .malformed: "This is no WAV file, or only a part of one."
    case .unsupported(let format, let bits, let channels, let hertz):
      "WAV format \(format) with \(bits) bits, \(channels) channels and \(hertz) Hz is not read; "
        + "use 16-bit PCM with one or two channels."
    }
  }
}
