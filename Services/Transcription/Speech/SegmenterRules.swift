/// The parameters of ``SpeechSegmenter``.
///
/// Powers are relative to full scale.
struct SegmenterRules: Sendable, Hashable {
  /// The samples of a frame: 20 ms.
  static let frame = 320

  /// The lower bound of the noise level: -90 dB.
  static let quietest = 1e-9

  /// The number of speech frames, of the last five, at which an utterance begins.
  var framesToBegin = 2

  /// The frames before the start of an utterance that are included in it.
  var leadFrames = 12

  /// The frames without speech that end an utterance.
  var pauseFrames = 30

  /// The frames after which an utterance is long, and ends at a shorter pause.
  var longFrames = 500

  /// The frames without speech that end a long utterance.
  var shortPauseFrames = 8

  /// The maximum length of an utterance, in frames.
  var longestFrames = 1_000

  /// The ratio of speech to noise: 10 dB.
  var speechAboveNoise = 10.0

  /// The least power of speech: -55 dB.
  var leastSpeech = 3.2e-6

  /// The growth of the noise estimate per frame: 3 dB in a second.
  var noiseRise = 1.014
}
