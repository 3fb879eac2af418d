/// The limits of an engine's report.
enum EngineLimits {
  /// The maximum size of one report, in bytes.
  static let reportBytes = 256 << 10

  /// The maximum number of results in one report. The same limit applies to progress entries and to
  /// failures.
  static let entries = 1_000

  /// The maximum number of alternatives of one utterance.
  static let alternatives = 10

  /// The maximum number of words in all alternatives of one utterance.
  static let words = 2_000

  /// The maximum number of entities of one alternative.
  static let entities = 200

  /// The maximum length of one word, or of an entity's type, in bytes.
  static let wordBytes = 256

  /// The maximum number of candidates for the spoken language.
  static let identified = 20

  /// The highest valid number of an utterance.
  static let utterances = UInt64(Int64.max)

  /// The highest valid position. It corresponds to three hundred years of speech.
  static let samples: UInt64 = 1 << 47
}
