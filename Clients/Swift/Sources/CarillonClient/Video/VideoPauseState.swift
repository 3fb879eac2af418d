/// Whether a tile shows its video, and why not.
public enum VideoPauseState: Int, CaseNamed {
  case unpaused = 0
  case pausedByUserRequest = 1
  case pausedForPoorConnection = 2
}
