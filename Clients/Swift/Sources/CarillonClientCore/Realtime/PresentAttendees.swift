/// The attendees known to be in the meeting. When the server reports presence, this type returns
/// only the changes.
struct PresentAttendees: Sendable {
  /// The changes of one report, in the order in which observers receive them.
  struct Difference: Equatable, Sendable {
    /// The attendees whom this type did not know.
    var joined: [AttendeeInfo] = []
    /// Attendees who left. This list also contains attendees whom this type did not know.
    var left: [AttendeeInfo] = []
    /// Attendees who dropped. This list also contains attendees whom this type did not know.
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
