import MeetingModel

/// An effect of a roster.
enum RosterEffect: Hashable, Sendable {
  /// Publish a numbered event.
  case publish(RosterEvent)
  /// Publish a volatile event.
  case publishLevels(LevelsUpdate)
  /// The session of a replica has disconnected and must be demoted in the primary too.
  case demote(SessionID, in: MeetingID, PresenceReason)
}

/// One numbered event of a meeting.
struct RosterEvent: Hashable, Sendable {
  /// The updates for clients, in order.
  var updates: [RosterUpdate] = []

  /// Sessions that end with it, after its updates were delivered.
  var ended: [EndedSession] = []

  /// Sessions that are dropped with it, without a request from their clients.
  var lost: [SessionID] = []

  /// The status that ends every session; set on the last event of a meeting.
  var meetingEnded: Status?

  /// The only participant that may see it; `nil` means everybody, and ``ParticipantID/nobody``
  /// means records only.
  var onlyFor: ParticipantID?

  var isEmpty: Bool { updates.isEmpty && ended.isEmpty && lost.isEmpty && meetingEnded == nil }
}

/// One kind of update in an event.
enum RosterUpdate: Hashable, Sendable {
  /// Never empty; at most one change of a participant.
  case presence([PresenceChange])
  /// Never empty. Implies the volume too: `muted`, or `notSpeaking` after an unmute.
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

  /// The volume, which is `muted` whenever `mute` is.
  var volume: VolumeLevel

  /// The signal strength; `nil` until it was measured.
  var signal: SignalStrength?

  var capabilities: AttendeeCapabilities

  /// The time of the join, in milliseconds since 1970-01-01T00:00:00Z.
  let joinedAtMs: UInt64
}
