/// The stability of a transcription's partial results; the raw values are the control API's words.
public enum PartialResultsStability: String, CaseIterable, Hashable, Sendable {
  /// Words arrive early and are often revised.
  case low
  /// Words arrive and change at a medium rate.
  case medium
  /// Words arrive later and are rarely revised.
  case high
}
