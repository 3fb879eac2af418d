/// How much partial results of a transcription may still change. The raw values are the control
/// API's words.
public enum PartialResultsStability: String, CaseIterable, Hashable, Sendable {
  /// Words come early and are often revised.
  case low
  /// Words come and are revised between the two.
  case medium
  /// Words come later and are seldom revised.
  case high
}
