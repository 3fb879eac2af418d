import MeetingModel

/// A session as its gateway describes it.
struct AnnouncedSession: Hashable, Sendable {
  var id: SessionID
  var participant: ParticipantID
  var externalUserID: ExternalUserID

  /// What people call the attendee, if anything else.
  var displayName: DisplayName?

  var capabilities: AttendeeCapabilities

  /// The client's own mute, as it says, and the operator's, as the meetings store has it.
  var mute: MuteState

  /// The meeting's own limit on attendees, if it has one.
  var capacity: Int?

  /// Whether its meeting lets nobody new in, as the meetings store has it.
  var isLocked = false

  /// What kind of meeting it is in.
  var kind: RosterKind

  /// Whether it belongs to a replica and acts here until any disconnect.
  var isPromoted = false

  /// Milliseconds since 1970-01-01T00:00:00Z, used if this is a join.
  var joinedAtMs: UInt64

  /// When its client came with it to the gateway that describes it, in the same way; 0: not known.
  var openedAtMs: UInt64 = 0
}

/// Whose roster it is.
enum RosterKind: Hashable, Sendable {
  /// Everybody in it sees everybody.
  case ordinary
  /// An audience copy of another meeting: nobody in it is visible to anybody.
  case replica(of: MeetingID)
}
