/// The rules by which participants become active speakers, and stop being active speakers.
///
/// Durations are in ticks of 20 ms.
enum SpeakerRules {
  /// The loudness (−55 dBov) above which a participant becomes an active speaker after one packet.
  /// The rule applies while there are fewer active speakers than the maximum.
  static let entry = Loudness(attenuation: 55)
  /// The loudness below which the meeting treats a participant as silent (−60 dBov).
  static let stay = Loudness(attenuation: 60)
  /// How long a silent participant remains an active speaker, to bridge pauses between words: 400
  /// ms.
  static let hangoverTicks = 20
  /// How long an active speaker must be silent before any participant above ``entry`` may replace
  /// this speaker: 60 ms.
  static let pauseTicks = 3
  /// The difference in dB at which a louder participant replaces a speaker. The documentation
  /// promises this value.
  private static let promisedMargin: Float = 6
  /// The possible error of the difference between two levels, in dB.
  ///
  /// Packets round levels to 1 dB, so each level may differ from the true level by 0.5 dB.
  private static let levelError: Float = 1
  /// The difference in dB by which a challenger's mean over 100 ms must exceed the mean of the
  /// active speaker.
  ///
  /// This difference is smaller than the promised difference. So a participant who is 6 dB louder
  /// never waits because of rounding.
  static let margin = promisedMargin - levelError
  /// How long a challenger must be louder: 100 ms.
  ///
  /// A participant that is louder by less than ``margin`` never replaces a speaker. So equally loud
  /// participants do not replace each other repeatedly.
  static let louderTicks = 5
  /// How long the meeting decodes a challenger before the challenger replaces an active speaker, if
  /// the meeting trusts the challenger's claimed levels: the last 40 ms of ``louderTicks``.
  static let probeTicks = 2
  /// The maximum number of participants that the meeting decodes in addition to the active
  /// speakers, to check the claims of these participants.
  static let probes = 2
  /// How long an output sends silence before it stops: 100 ms. During this time, the last sound
  /// fades.
  static let tailTicks = 5
  /// How long the mix stays stereo after the last stereo voice: 2 s.
  static let stereoTicks = 100
}
