/// How loud an attendee is, in the facade's steps.
public enum VolumeLevel: Int32, CaseIterable, Hashable, Sendable {
  case muted = -1
  case notSpeaking = 0
  case low = 1
  case medium = 2
  case high = 3
}
