/// The settings of a meeting's audio mix.
struct AudioMixSettings: Hashable, Sendable {
  /// The maximum number of active speakers, at least 1.
  ///
  /// The loudest participants are the active speakers. The remaining participants wait until an
  /// active speaker pauses.
  var maxSpeakers = 5
  /// The maximum number of content shares whose sound is in the mix in addition to the active
  /// speakers. A meeting has at most two content shares with video.
  var maxShares = 2
  /// The complexity of the Opus encoders, 0–10.
  var complexity = 5
  /// The bitrate of each ``MixKind``, in bit/s.
  var wideBandBitrate = 20_000
  var monoBitrate = 32_000
  var stereoBitrate = 64_000
  /// The noise reduction of Voice Focus, in dB.
  var noiseSuppression = 25

  init() {}
}
