/// When somebody is heard, and when not any longer. Times are in ticks of 20 ms.
enum SpeakerRules {
  /// Who is louder than this in one packet gets a free seat at once (−55 dBov).
  static let entry = Loudness(attenuation: 55)
  /// Who is quieter than this is silent (−60 dBov).
  static let stay = Loudness(attenuation: 60)
  /// A seat is kept over pauses between words: 400 ms.
  static let hangoverTicks = 20
  /// Who takes another one's seat is louder by this much, in dB, in the mean of some packets…
  static let margin: Float = 4
  /// …and lets it be heard for at least 500 ms.
  static let leastTicks = 25
  /// How many that are not heard are decoded to see whether they are as loud as they say.
  static let probes = 2
  /// What is sent of silence before nothing is: 100 ms, in which the last sound fades.
  static let tailTicks = 5
  /// How long stereo is kept when nobody sends it any longer: 2 s.
  static let stereoTicks = 100
}
