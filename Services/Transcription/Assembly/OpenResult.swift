import MeetingModel

/// A result that is not final yet.
struct OpenResult: Sendable, Hashable {
  let id: String
  let isTranslation: Bool

  /// The language of the text, as far as it is known.
  var language: LanguageCode?

  /// Place of the utterance in the talker's time line.
  var start: UInt64
  var end: UInt64

  /// The result as it was published last; `nil` before the first time.
  private(set) var published: TranscriptResult?
  private(set) var publishedAt: ContinuousClock.Instant?

  /// The words of the best alternative, and how many results in a row had each.
  private var words: [String] = []
  private(set) var ages: [Int] = []

  init(
    id: String, language: LanguageCode?, isTranslation: Bool, start: UInt64, end: UInt64
  ) {
    self.id = id
    self.language = language
    self.isTranslation = isTranslation
    self.start = start
    self.end = end
  }

  /// Number of the next revision.
  var nextRevision: UInt32 { (published?.revision ?? 0) + 1 }

  /// Compares the words with those of the result before it.
  mutating func hear(_ words: [String]) {
    let same = zip(words, self.words).prefix { $0 == $1 }.count
    ages = words.indices.map { $0 < same ? ages[$0] + 1 : 1 }
    self.words = words
  }

  mutating func didPublish(_ result: TranscriptResult, at now: ContinuousClock.Instant) {
    published = result
    publishedAt = now
  }

  /// The result as its last revision, which is what was published, or nothing.
  ///
  /// - Parameter isWithdrawn: What was published is taken back.
  /// - Returns: `nil` if nobody saw it.
  func closed(isWithdrawn: Bool = false) -> AssembledResult? {
    guard var result = published else { return nil }
    result.isPartial = false
    result.revision = nextRevision
    if isWithdrawn { result.alternatives = [] }
    return AssembledResult(result: result, language: language, isTranslation: isTranslation)
  }
}
