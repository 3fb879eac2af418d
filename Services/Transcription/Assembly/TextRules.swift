import MeetingModel

/// What is done with an engine's words before anybody reads them.
struct TextRules: Sendable, Hashable {
  /// Words and phrases that are filtered, each as its words in lower case.
  var filtered: [[String]] = []
  var filterMethod = VocabularyFilterMethod.tag

  /// What is shown as entities.
  var identified: SensitiveContentType?

  /// What is hidden.
  var redacted: SensitiveContentType?

  /// The kinds of entities that count for either; empty: all.
  var entityTypes: Set<String> = []

  /// How many partial results in a row must have a word for it to be stable; `nil`: nobody asked.
  var stableAfter: Int?

  /// What stands for a word that is masked.
  static let mask = "***"

  /// Whether partial results would show what is to be hidden: who it names is known at the end
  /// only.
  var withholdsPartials: Bool { redacted != nil }
}
