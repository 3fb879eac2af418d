import MeetingModel

/// What a roster wants done, in order.
enum RosterEffect: Hashable, Sendable {
  /// Publish a numbered event.
  case publish(RosterEvent)
  /// Publish a volatile event.
  case publishLevels(LevelsUpdate)
  /// The session of a replica is not connected any more: it must not act in the primary either.
  case demote(SessionID, in: MeetingID, PresenceReason)
}

/// One numbered event of a meeting.
struct RosterEvent: Hashable, Sendable {
  /// What clients are told, in this order.
  var updates: [RosterUpdate] = []

  /// Sessions that end with it, after its updates were delivered.
  var ended: [EndedSession] = []

  /// Sessions that are given up with it, without a word of their clients.
  var lost: [SessionID] = []

  /// Set on the last event of a meeting: every session ends so.
  var meetingEnded: Status?

  /// Who may see it; `nil` means everybody, and ``ParticipantID/nobody`` that it is for records.
  var onlyFor: ParticipantID?

  var isEmpty: Bool { updates.isEmpty && ended.isEmpty && lost.isEmpty && meetingEnded == nil }
}

/// One kind of news in an event.
enum RosterUpdate: Hashable, Sendable {
  /// Never empty; at most one change of a participant.
  case presence([PresenceChange])
  /// Never empty. Tells the volume too: `muted`, or `notSpeaking` for who is not muted.
  case mute([MuteChange])
  case capabilities(ParticipantID, AttendeeCapabilities)
}

/// Somebody came or went.
enum PresenceChange: Hashable, Sendable {
  case joined(RosterEntry)
  case departed(ParticipantIdentity, PresenceReason)
}

/// Somebody was muted or unmuted.
struct MuteChange: Hashable, Sendable {
  let participant: ParticipantID
  let mute: MuteState
}

/// A session that must end now, and what its client is told.
struct EndedSession: Hashable, Sendable {
  let session: SessionID
  let status: Status
}

/// Volumes and signal strengths that changed since the last such update, in the order of joins.
struct LevelsUpdate: Hashable, Sendable {
  var volumes: [VolumeChange] = []
  var signals: [SignalChange] = []

  var isEmpty: Bool { volumes.isEmpty && signals.isEmpty }
}

struct VolumeChange: Hashable, Sendable {
  let participant: ParticipantID
  let level: VolumeLevel
}

struct SignalChange: Hashable, Sendable {
  let participant: ParticipantID
  let strength: SignalStrength
}

/// One participant as a snapshot shows it.
struct RosterEntry: Hashable, Sendable {
  let identity: ParticipantIdentity
  var mute: MuteState

  /// `muted` whenever `mute` says so.
  var volume: VolumeLevel

  /// `nil` until it was measured.
  var signal: SignalStrength?

  var capabilities: AttendeeCapabilities

  /// Milliseconds since 1970-01-01T00:00:00Z.
  let joinedAtMs: UInt64
}
