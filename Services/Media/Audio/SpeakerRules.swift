/// The rules by which participants get and lose seats.
///
/// Times are in ticks of 20 ms.
enum SpeakerRules {
  /// A participant louder than this in one packet gets a free seat at once (−55 dBov).
  static let entry = Loudness(attenuation: 55)
  /// A participant quieter than this is silent (−60 dBov).
  static let stay = Loudness(attenuation: 60)
  /// The time for which a silent participant keeps its seat, to bridge pauses between words: 400
  /// ms.
  static let hangoverTicks = 20
  /// The silence after which any participant that is loud enough for a free seat may take this one:
  /// 60 ms.
  static let pauseTicks = 3
  /// The difference in dB at which a louder participant gets a seat, as the documents promise.
  private static let promisedMargin: Float = 6
  /// The possible error of the difference of two levels, in dB.
  ///
  /// Packets round levels to 1 dB, so each level may be off by half of that.
  private static let levelError: Float = 1
  /// The difference in dB by which a challenger's mean of 100 ms must exceed that of a seat's
  /// holder.
  ///
  /// It is smaller than the promised difference, so that nobody who is 6 dB louder waits.
  static let margin = promisedMargin - levelError
  /// The time for which a challenger must be louder: 100 ms.
  ///
  /// A participant that is hardly louder never takes a seat, so that equals do not take turns.
  static let louderTicks = 5
  /// The number of those ticks in which a challenger with trusted claims is decoded.
  static let probeTicks = 2
  /// The number of participants, beyond the free seats, that are decoded to check their claims.
  static let probes = 2
  /// The silence that is sent before an output stops: 100 ms, in which the last sound fades.
  static let tailTicks = 5
  /// The time for which stereo is kept after the last stereo voice: 2 s.
  static let stereoTicks = 100
}
