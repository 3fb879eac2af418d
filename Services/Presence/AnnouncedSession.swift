import MeetingModel

/// A gateway's description of a session.
struct AnnouncedSession: Hashable, Sendable {
  var id: SessionID
  var participant: ParticipantID
  var externalUserID: ExternalUserID

  /// The attendee's display name; `nil` if the attendee has no display name.
  var displayName: DisplayName?

  var capabilities: AttendeeCapabilities

  /// The client's own mute, according to the client's report, and the operator's mute, according to
  /// the meetings store.
  var mute: MuteState

  /// The meeting's own limit of attendees; `nil` if the meeting has no limit of its own.
  var capacity: Int?

  /// Whether the session's meeting is locked, according to the meetings store.
  var isLocked = false

  /// The kind of the session's meeting.
  var kind: RosterKind

  /// Whether the session belongs to a replica and is promoted into this meeting. The promotion
  /// lasts until the session disconnects.
  var isPromoted = false

  /// The time of the session's join, in milliseconds since 1970-01-01T00:00:00Z.
  var joinedAtMs: UInt64

  /// The time at which the client reached the gateway that sent this description, in milliseconds
  /// since 1970-01-01T00:00:00Z; 0 if unknown.
  var openedAtMs: UInt64 = 0
}

/// The kind of a roster.
enum RosterKind: Hashable, Sendable {
  /// All participants see each other.
  case ordinary
  /// A copy of another meeting, for an audience that only watches. Attendees do not see the
  /// participants of a replica.
  case replica(of: MeetingID)
}
