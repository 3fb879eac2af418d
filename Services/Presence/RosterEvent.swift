import MeetingModel

/// An effect of a roster.
enum RosterEffect: Hashable, Sendable {
  /// Publish a numbered event.
  case publish(RosterEvent)
  /// Publish a volatile event.
  case publishLevels(LevelsUpdate)
  /// End a promotion in the primary, because the session of the replica has disconnected.
  case demote(SessionID, in: MeetingID, PresenceReason)
}

/// One numbered event of a meeting.
struct RosterEvent: Hashable, Sendable {
  /// The updates for clients, in order.
  var updates: [RosterUpdate] = []

  /// The sessions that end with this event, after the delivery of the event's updates.
  var ended: [SessionToEnd] = []

  /// The sessions that `presence` drops with this event. Their clients did not request to leave.
  var lost: [SessionID] = []

  /// The status with which all sessions end. Only the last event of a meeting has this status.
  var meetingEnded: Status?

  /// The only participant that may see the event; `nil` for all participants. With
  /// ``ParticipantID/nobody``, the event is only for the meetings' records.
  var onlyFor: ParticipantID?

  var isEmpty: Bool { updates.isEmpty && ended.isEmpty && lost.isEmpty && meetingEnded == nil }
}

/// One kind of update in an event.
enum RosterUpdate: Hashable, Sendable {
  /// Joins and departures. The list is never empty, and contains at most one change of each
  /// participant.
  case presence([PresenceChange])
  /// Changes of mutes. The list is never empty. A change implies the volume: `muted`, or
  /// `notSpeaking` after an unmute.
  case mute([MuteChange])
  case capabilities(ParticipantID, AttendeeCapabilities)
}

/// A join or a departure of a participant.
enum PresenceChange: Hashable, Sendable {
  case joined(RosterEntry)
  case departed(ParticipantIdentity, PresenceReason)
}

/// A mute or an unmute of a participant.
struct MuteChange: Hashable, Sendable {
  let participant: ParticipantID
  let mute: MuteState
}

/// A session that must end now, and the status for its client.
struct SessionToEnd: Hashable, Sendable {
  let session: SessionID
  let status: Status
}

/// The volumes and signal strengths that changed since the last update, in the order of joins.
struct LevelsUpdate: Hashable, Sendable {
  var volumes: [VolumeChange] = []
  var signals: [SignalStrengthChange] = []

  var isEmpty: Bool { volumes.isEmpty && signals.isEmpty }
}

struct VolumeChange: Hashable, Sendable {
  let participant: ParticipantID
  let level: VolumeLevel
}

struct SignalStrengthChange: Hashable, Sendable {
  let participant: ParticipantID
  let strength: SignalStrength
}

/// One participant in a snapshot.
struct RosterEntry: Hashable, Sendable {
  let identity: ParticipantIdentity
  var mute: MuteState

  /// The volume, which is `muted` if and only if the participant is muted.
  var volume: VolumeLevel

  /// The signal strength; `nil` until `media` has measured it.
  var signal: SignalStrength?

  var capabilities: AttendeeCapabilities

  /// The time of the join, in milliseconds since 1970-01-01T00:00:00Z.
  let joinedAtMs: UInt64
}
