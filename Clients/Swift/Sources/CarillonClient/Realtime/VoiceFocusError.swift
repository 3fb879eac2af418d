/// Why noise suppression could not be switched.
public enum VoiceFocusError: Int, Error, CaseNamed {
  case audioClientNotStarted
  case audioClientError
  case setParamFailed
  case notInitialized
  case other
}
