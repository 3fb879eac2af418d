/// What is done with words that a vocabulary filter names. The raw values are the control API's
/// words.
public enum VocabularyFilterMethod: String, CaseIterable, Hashable, Sendable {
  /// They are left out.
  case remove
  /// They are replaced by `***`.
  case mask
  /// They are kept and marked.
  case tag
}
