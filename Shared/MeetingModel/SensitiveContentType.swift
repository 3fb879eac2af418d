/// Which content of a transcript is found or hidden. The raw values are the control API's words.
public enum SensitiveContentType: String, CaseIterable, Hashable, Sendable {
  /// What identifies a person.
  case pii = "PII"
  /// Health information.
  case phi = "PHI"
}
