/// The volume of an attendee, in the levels of the client libraries' facade.
public enum VolumeLevel: Int32, CaseIterable, Hashable, Sendable {
  /// The attendee is muted.
  case muted = -1
  /// The attendee is not muted and is silent.
  case notSpeaking = 0
  /// The attendee speaks softly.
  case low = 1
  /// The attendee speaks.
  case medium = 2
  /// The attendee speaks loudly.
  case high = 3
}
