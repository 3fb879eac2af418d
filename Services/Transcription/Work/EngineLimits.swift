/// The limits of an engine's report.
enum EngineLimits {
  /// The most bytes of one report.
  static let reportBytes = 256 << 10

  /// The most results, progress entries and failures of one report, each.
  static let entries = 1_000

  /// The most alternatives of one utterance.
  static let alternatives = 10

  /// The most words in all alternatives of one utterance.
  static let words = 2_000

  /// The most entities of one alternative.
  static let entities = 200

  /// The most bytes of one word, or of an entity's type.
  static let wordBytes = 256

  /// The most candidates for the spoken language.
  static let identified = 20

  /// The highest number of an utterance.
  static let utterances = UInt64(Int64.max)

  /// The highest valid position: three hundred years of speech.
  static let samples: UInt64 = 1 << 47
}
