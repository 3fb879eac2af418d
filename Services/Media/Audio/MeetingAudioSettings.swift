/// The settings of a meeting's audio mix.
struct MeetingAudioSettings: Hashable, Sendable {
  /// The maximum number of participants that are heard at once, at least 1.
  ///
  /// The loudest are heard, and the others wait for a pause.
  var maxSpeakers = 5
  /// The complexity of the Opus encoders, 0–10.
  var complexity = 5
  /// The bitrate of each ``MixKind``, in bit/s.
  var wideBandBitrate = 20_000
  var monoBitrate = 32_000
  var stereoBitrate = 64_000
  /// The expected loss on the way to listeners, in percent.
  ///
  /// Above 0, packets contain copies of the packets before them.
  var expectedLoss = 0
  /// The reduction of noise by Voice Focus, in dB.
  var noiseSuppression = 25

  init() {}
}
