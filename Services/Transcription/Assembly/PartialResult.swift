import MeetingModel

/// A result that is not final yet.
struct PartialResult: Sendable, Hashable {
  let id: String
  let isTranslation: Bool

  /// The language of the text; `nil` if unknown.
  var language: LanguageCode?

  /// The position of the utterance on the talker's timeline.
  var start: UInt64
  var end: UInt64

  /// The last published revision of the result; `nil` if the assembler has published no revision.
  private(set) var published: TranscriptResult?
  private(set) var publishedAt: ContinuousClock.Instant?

  /// The words of the best alternative. `ages` has, for each word, the number of consecutive
  /// results that contained the word.
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

  /// The number of the next revision.
  var nextRevision: UInt32 { (published?.revision ?? 0) + 1 }

  /// Compares the words with the words of the previous result.
  mutating func hear(_ words: [String]) {
    let same = zip(words, self.words).prefix { $0 == $1 }.count
    ages = words.indices.map { $0 < same ? ages[$0] + 1 : 1 }
    self.words = words
  }

  mutating func didPublish(_ result: TranscriptResult, at now: ContinuousClock.Instant) {
    published = result
    publishedAt = now
  }

  /// Returns the last revision: the published result, marked as final, or an empty result.
  ///
  /// - Parameter isWithdrawn: Whether to withdraw the published text.
  /// - Returns: `nil` if the assembler has published no revision.
  func closed(isWithdrawn: Bool = false) -> AssembledResult? {
    guard var result = published else { return nil }
    result.isPartial = false
    result.revision = nextRevision
    if isWithdrawn { result.alternatives = [] }
    return AssembledResult(result: result, language: language, isTranslation: isTranslation)
  }
}
