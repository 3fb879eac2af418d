/// When somebody is heard, and when not any longer. Times are in ticks of 20 ms.
enum SpeakerRules {
  /// Who is louder than this in one packet gets a free seat at once (−55 dBov).
  static let entry = Loudness(attenuation: 55)
  /// Who is quieter than this is silent (−60 dBov).
  static let stay = Loudness(attenuation: 60)
  /// A seat is kept over pauses between words: 400 ms.
  static let hangoverTicks = 20
  /// Who has been silent for 60 ms keeps its seat only as long as nobody else is loud enough for
  /// a free one.
  static let pauseTicks = 3
  /// Whoever is louder than another one by this much, in dB, gets its seat. The documents promise
  /// this.
  private static let promisedMargin: Float = 6
  /// How wrong the difference of two levels may be, in dB: what packets say is rounded to 1 dB, so
  /// each level may be wrong by half of it.
  private static let levelError: Float = 1
  /// Who takes another one's seat is louder by this much, in dB, each by its mean of 100 ms…
  ///
  /// It is less than what is promised, so that nobody who is louder by 6 dB waits.
  static let margin = promisedMargin - levelError
  /// …for 100 ms. Who is hardly louder never takes a seat, so that equals do not take turns.
  static let louderTicks = 5
  /// How many ticks of it are decoded before it is heard, where its packets were found to say what
  /// is true.
  static let probeTicks = 2
  /// How many more than there are free seats are decoded to see whether they are as loud as they
  /// say.
  static let probes = 2
  /// What is sent of silence before nothing is: 100 ms, in which the last sound fades.
  static let tailTicks = 5
  /// How long stereo is kept when nobody sends it any longer: 2 s.
  static let stereoTicks = 100
}
