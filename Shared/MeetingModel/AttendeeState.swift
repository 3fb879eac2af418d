/// What became of an attendee: the facade's `AttendeeStatus`.
public enum AttendeeState: Int32, CaseIterable, Hashable, Sendable {
  /// Is in the meeting.
  case joined = 1
  /// Left on purpose.
  case left = 2
  /// Was lost: the connection ended without a word and did not come back in time.
  case dropped = 3
}
