/// The parameters of ``SpeechSegmenter``.
///
/// Powers are relative to full scale.
struct SegmenterRules: Sendable, Hashable {
  /// The number of samples in a frame of 20 ms.
  static let frame = 320

  /// The lower bound of the noise level: -90 dB.
  static let quietest = 1e-9

  /// An utterance begins when this number of the last five frames are speech.
  var framesToBegin = 2

  /// How many of the frames directly before an utterance's detection belong to the utterance.
  var leadFrames = 12

  /// The number of frames without speech that end an utterance.
  var pauseFrames = 30

  /// The number of frames after which an utterance is long. A shorter pause ends a long utterance.
  var longFrames = 500

  /// The number of frames without speech that end a long utterance.
  var shortPauseFrames = 8

  /// The maximum length of an utterance, in frames.
  var longestFrames = 1_000

  /// The minimum ratio of speech to noise: 10 dB.
  var speechAboveNoise = 10.0

  /// The minimum power of speech: -55 dB.
  var leastSpeech = 3.2e-6

  /// The growth of the noise estimate per frame: 3 dB in a second.
  var noiseRise = 1.014
}
