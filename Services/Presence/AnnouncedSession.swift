import MeetingModel

/// A session as its gateway describes it.
struct AnnouncedSession: Hashable, Sendable {
  var id: SessionID
  var participant: ParticipantID
  var externalUserID: ExternalUserID

  /// The attendee's display name, if it has one.
  var displayName: DisplayName?

  var capabilities: AttendeeCapabilities

  /// The client's own mute, as the client reports it, and the operator's, as the meetings store has
  /// it.
  var mute: MuteState

  /// The meeting's own limit on attendees, if it has one.
  var capacity: Int?

  /// Whether its meeting is locked, according to the meetings store.
  var isLocked = false

  /// The kind of its meeting.
  var kind: RosterKind

  /// Whether it belongs to a replica and is promoted here until it disconnects.
  var isPromoted = false

  /// The time of the join, if this is one, in milliseconds since 1970-01-01T00:00:00Z.
  var joinedAtMs: UInt64

  /// When its client reached the gateway that describes it, in the same unit; 0 if unknown.
  var openedAtMs: UInt64 = 0
}

/// The kind of a roster.
enum RosterKind: Hashable, Sendable {
  /// All participants see each other.
  case ordinary
  /// An audience copy of another meeting, whose participants are visible to nobody.
  case replica(of: MeetingID)
}
