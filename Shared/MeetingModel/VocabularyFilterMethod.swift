/// The treatment of words in a vocabulary filter; the raw values are the control API's words.
public enum VocabularyFilterMethod: String, CaseIterable, Hashable, Sendable {
  /// The service removes the words.
  case remove
  /// The service replaces the words by `***`.
  case mask
  /// The service keeps the words and marks them.
  case tag
}
