import MeetingModel

/// The processing of an engine's words before they are published.
struct TextRules: Sendable, Hashable {
  /// Filtered words and phrases, each as a list of words in lower case.
  var filtered: [[String]] = []
  var filterMethod = VocabularyFilterMethod.tag

  /// The category of content that is shown as entities.
  var identified: SensitiveContentType?

  /// The category of content that is redacted.
  var redacted: SensitiveContentType?

  /// The kinds of entities that both settings cover; empty for all.
  var entityTypes: Set<String> = []

  /// The number of consecutive partial results that make a word stable; `nil` if stability is off.
  var stableAfter: Int?

  /// The replacement for a masked word.
  static let mask = "***"

  /// Whether partial results are withheld: entities to redact are known only in the final result.
  var withholdsPartials: Bool { redacted != nil }
}
