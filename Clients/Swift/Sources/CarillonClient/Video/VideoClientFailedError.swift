/// Why the video part of a session failed.
public enum VideoClientFailedError: Int, Error, CaseNamed {
  case authenticationFailed
  case peerConnectionCreateFailed
  case maxRetryPeriodExceeded
  case other
}
