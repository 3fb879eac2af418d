/// The kind of sensitive content in a transcript; the raw values are the control API's words.
public enum SensitiveContentType: String, CaseIterable, Hashable, Sendable {
  /// Personally identifiable information.
  case pii = "PII"
  /// Protected health information.
  case phi = "PHI"
}
