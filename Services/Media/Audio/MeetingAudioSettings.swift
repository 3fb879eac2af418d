/// How a meeting is mixed.
struct MeetingAudioSettings: Hashable, Sendable {
  /// How many are heard at once, 1 or more: the loudest. The others wait for one of them to pause.
  var maxSpeakers = 5
  /// The complexity of the Opus encoders, 0–10.
  var complexity = 5
  /// The bitrate of each ``MixKind``, in bits per second.
  var wideBandBitrate = 20_000
  var monoBitrate = 32_000
  var stereoBitrate = 64_000
  /// Loss on the way to listeners, in percent. Above 0 packets hold copies of those before them.
  var expectedLoss = 0
  /// How far Voice Focus lowers noise, in dB.
  var noiseSuppression = 25

  init() {}
}
