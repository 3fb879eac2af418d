import MeetingModel

/// Why somebody is no longer in a meeting.
enum Departure: CaseIterable, Hashable, Sendable {
  /// The client asked to.
  case client
  /// The client was silent for too long.
  case connectionLost
  /// The client's gateway vanished, and the client did not come back in time.
  case gatewayLost
  /// The attendee was deleted.
  case attendeeDeleted
  /// The meeting ended.
  case meetingEnded
  /// An operator asked to.
  case byOperator
  /// A promoted attendee went back to its replica.
  case demoted

  /// What everybody is told: who is lost was dropped, all others left.
  var state: AttendeeState {
    switch self {
    case .connectionLost, .gatewayLost: .dropped
    case .client, .attendeeDeleted, .meetingEnded, .byOperator, .demoted: .left
    }
  }
}
