/// The state of an attendee: `AttendeeStatus` in the client libraries' facade.
public enum AttendeeState: Int32, CaseIterable, Hashable, Sendable {
  /// The attendee is in the meeting.
  case joined = 1
  /// The attendee left on purpose.
  case left = 2
  /// The server dropped the attendee: the attendee's client lost the connection and did not restore
  /// the connection in time.
  case dropped = 3
}
