/// What became of an attendee.
public enum AttendeeStatus: Int, CaseNamed {
  case joined = 1
  /// Ended the session, or was taken out of the meeting.
  case left = 2
  /// Was lost by the network.
  case dropped = 3
}
