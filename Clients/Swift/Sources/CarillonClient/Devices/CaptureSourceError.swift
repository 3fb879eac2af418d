/// Why a source could not capture.
public enum CaptureSourceError: Int, Error, CaseNamed {
  case unknown = 0
  /// The system refused.
  case systemFailure = 1
  case configurationFailure = 2
  /// A single frame was unusable; capture goes on.
  case invalidFrame = 3
}
