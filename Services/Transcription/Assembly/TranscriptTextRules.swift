import MeetingModel

/// The rules by which the service processes an engine's words before their publication.
struct TranscriptTextRules: Sendable, Hashable {
  /// The filtered words and phrases, each as a list of words in lower case.
  var filtered: [[String]] = []
  var filterMethod = VocabularyFilterMethod.tag

  /// The category of content that results contain as entities.
  var identified: SensitiveContentType?

  /// The category of content that the service redacts.
  var redacted: SensitiveContentType?

  /// The kinds of entities to which both categories apply; empty for all kinds.
  var entityTypes: Set<String> = []

  /// The number of consecutive partial results that make a word stable; `nil` if stability is off.
  var stableAfter: Int?

  /// The text that replaces a masked word.
  static let mask = "***"

  /// Whether the service withholds partial results. Only a final result contains the entities that
  /// the service redacts.
  var withholdsPartials: Bool { redacted != nil }
}
