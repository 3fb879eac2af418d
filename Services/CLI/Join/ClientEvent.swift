/// What a client in a meeting hears, of its own session and of the others.
enum ClientEvent: Hashable, Sendable {
  /// How an attendee, the local one included, changed.
  enum Change: String, Hashable, Sendable {
    case joined, left, dropped, muted, unmuted
  }

  case started
  /// The connection was lost and is tried again.
  case reconnecting
  case reconnected
  /// The session is over; the facade's status, 0 after leaving.
  case ended(status: Int, name: String)
  case attendee(Change, AttendeeName)

  /// The event as `carillon join --output json` prints it.
  var record: Record {
    switch self {
    case .started: ["event": "started"]
    case .reconnecting: ["event": "reconnecting"]
    case .reconnected: ["event": "reconnected"]
    case .ended(let status, let name):
      [
        "event": "ended", "session_status": JSONValue(status), "session_status_name": .text(name),
      ]
    case .attendee(let change, let attendee):
      [
        "event": .text(change.rawValue), "attendee_id": .text(attendee.attendeeID),
        "external_user_id": .text(attendee.externalUserID),
      ]
    }
  }

  /// Whether it says that this attendee changed so.
  func says(_ change: Change, _ attendeeID: String) -> Bool {
    if case .attendee(change, let attendee) = self {
      attendee.attendeeID == attendeeID
    } else {
      false
    }
  }

  /// Whether it says that somebody came or went.
  var isPresence: Bool {
    switch self {
    case .attendee(.joined, _), .attendee(.left, _), .attendee(.dropped, _): true
    case .attendee(.muted, _), .attendee(.unmuted, _), .started, .reconnecting, .reconnected,
      .ended:
      false
    }
  }

  var isEnd: Bool {
    if case .ended = self { true } else { false }
  }
}
