/// The treatment of words in a vocabulary filter; the raw values are the control API's words.
public enum VocabularyFilterMethod: String, CaseIterable, Hashable, Sendable {
  /// The words are removed.
  case remove
  /// The words are replaced by `***`.
  case mask
  /// The words are kept and marked.
  case tag
}
