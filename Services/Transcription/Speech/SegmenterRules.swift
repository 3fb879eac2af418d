/// The numbers by which ``SpeechSegmenter`` decides. Powers are relative to full scale.
struct SegmenterRules: Sendable, Hashable {
  /// Samples of a frame: 20 ms.
  static let frame = 320

  /// What is quieter counts as this: -90 dB.
  static let quietest = 1e-9

  /// Frames with speech, of five, at which an utterance begins.
  var framesToBegin = 2

  /// Frames kept from before an utterance was noticed.
  var leadFrames = 12

  /// Frames without speech that end an utterance.
  var pauseFrames = 30

  /// An utterance of more frames ends at a short pause.
  var longFrames = 500

  /// Frames without speech that end a long utterance.
  var shortPauseFrames = 8

  /// Frames at which an utterance ends in any case.
  var longestFrames = 1_000

  /// How much louder than noise speech is: 10 dB.
  var speechAboveNoise = 10.0

  /// The quietest speech: -55 dB.
  var leastSpeech = 3.2e-6

  /// How fast noise is believed to grow, for each frame: 3 dB in a second.
  var noiseRise = 1.014
}
