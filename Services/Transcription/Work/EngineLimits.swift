/// What an engine may say at most.
enum EngineLimits {
  /// Bytes of one report.
  static let reportBytes = 256 << 10

  /// Results, progress and failures of one report, each.
  static let entries = 1_000

  /// Readings of one utterance.
  static let alternatives = 10

  /// Words of all readings of one utterance.
  static let words = 2_000

  /// Entities of one reading.
  static let entities = 200

  /// Bytes of one word, or of an entity's type.
  static let wordBytes = 256

  /// Candidates for the language that is spoken.
  static let identified = 20

  /// The highest number of an utterance.
  static let utterances = UInt64(Int64.max)

  /// Places beyond this are none: three hundred years of speech.
  static let samples: UInt64 = 1 << 47
}
