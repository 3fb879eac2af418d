/// The attendees known to be in the meeting; turns presence reports into what is new in them.
struct KnownAttendees: Sendable {
  /// What one report brought, in the order in which observers hear it.
  struct Difference: Equatable, Sendable {
    /// Attendees who were not known.
    var joined: [AttendeeInfo] = []
    /// Attendees who left, known or not.
    var left: [AttendeeInfo] = []
    /// Attendees who were lost, known or not.
    var dropped: [AttendeeInfo] = []
  }

  private var known: Set<AttendeeInfo> = []

  mutating func apply(_ entries: [(attendee: AttendeeInfo, status: AttendeeStatus)]) -> Difference {
    var difference = Difference()
    for (attendee, status) in entries {
      switch status {
      case .joined:
        if !known.contains(attendee), !difference.joined.contains(attendee) {
          difference.joined.append(attendee)
        }
      case .left:
        if !difference.left.contains(attendee) { difference.left.append(attendee) }
      case .dropped:
        if !difference.dropped.contains(attendee) { difference.dropped.append(attendee) }
      }
    }
    known.formUnion(difference.joined)
    known.subtract(difference.left)
    known.subtract(difference.dropped)
    return difference
  }
}
