/// What is done to the background of the local video.
public enum BackgroundFilter: Int, CaseNamed {
  case none = 0
  case blur = 1
  case replacement = 2
}
