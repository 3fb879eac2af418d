/// Why a participant's state in a meeting changed.
public enum PresenceReason: CaseIterable, Hashable, Sendable {
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
  case `operator`
  /// A promoted attendee went back to its replica.
  case demoted

  /// What everybody is told of somebody who goes for this reason: who is lost was dropped, all
  /// others left.
  public var departedState: AttendeeState {
    switch self {
    case .connectionLost, .gatewayLost: .dropped
    case .client, .attendeeDeleted, .meetingEnded, .operator, .demoted: .left
    }
  }
}
