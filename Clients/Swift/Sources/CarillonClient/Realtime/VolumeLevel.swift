/// How loud an attendee is.
public enum VolumeLevel: Int, CaseNamed {
  case muted = -1
  case notSpeaking = 0
  case low = 1
  case medium = 2
  case high = 3
}
