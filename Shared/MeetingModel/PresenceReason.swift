/// The reason why a participant's state in a meeting changed.
public enum PresenceReason: CaseIterable, Hashable, Sendable {
  /// The client requested the change.
  case client
  /// The client was silent for too long.
  case connectionLost
  /// The client's gateway disappeared, and the client did not reconnect in time.
  case gatewayLost
  /// A control request deleted the attendee.
  case attendeeDeleted
  /// The meeting ended.
  case meetingEnded
  /// An operator requested the change.
  case `operator`
  /// A promoted attendee returned to its replica.
  case demoted

  /// The state that clients see. A participant that lost its connection or gateway is `dropped`.
  /// Any other departed participant is `left`.
  public var departedState: AttendeeState {
    switch self {
    case .connectionLost, .gatewayLost: .dropped
    case .client, .attendeeDeleted, .meetingEnded, .operator, .demoted: .left
    }
  }
}
