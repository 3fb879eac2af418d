import MeetingModel

/// The changes of one operation on a roster, combined into one event.
struct RosterChanges {
  var presence: [PresenceChange] = []
  var mutes: [MuteChange] = []
  var capabilities: [(ParticipantID, AttendeeCapabilities)] = []
  var ended: [SessionToEnd] = []

  /// The dropped sessions. Their clients did not request to leave.
  var lost: [SessionID] = []
  var meetingEnded: Status?

  /// The sessions whose connection to this meeting has ended.
  var disconnected: [(SessionID, PresenceReason)] = []

  /// Records that `presence` drops a participant's session. Does not record a promoted session,
  /// because this session continues in its replica.
  mutating func lose(_ participant: Participant) {
    if !participant.isPromoted { lost.append(participant.session) }
  }

  /// Records the visible changes from `before` to `participant`. If a change of the mute implies
  /// the volume, marks the volume as published.
  mutating func compare(_ before: Participant, with participant: inout Participant) {
    if participant.mute.looksDifferent(from: before.mute) {
      mutes.append(MuteChange(participant: participant.id, mute: participant.mute))
      if participant.mute.isMuted != before.mute.isMuted {
        participant.levels.restart(for: participant.mute)
      }
    }
    if participant.capabilities != before.capabilities {
      capabilities.append((participant.id, participant.capabilities))
    }
  }

  /// Returns the effects in a meeting of this kind.
  ///
  /// In a replica, attendees do not see each other. An event about an attendee's mute or
  /// capabilities is only for this attendee. Joins and departures are only for the meetings'
  /// records.
  func effects(in kind: RosterKind) -> [RosterEffect] {
    let presenceUpdate = presence.isEmpty ? [] : [RosterUpdate.presence(presence)]
    let updates =
      (mutes.isEmpty ? [] : [RosterUpdate.mute(mutes)])
      + capabilities.map { RosterUpdate.capabilities($0, $1) }
    switch kind {
    case .ordinary:
      let event = RosterEvent(
        updates: presenceUpdate + updates, ended: ended, lost: lost, meetingEnded: meetingEnded)
      return event.isEmpty ? [] : [.publish(event)]
    case .replica(let primary):
      let personal =
        mutes.map { RosterEvent(updates: [.mute([$0])], onlyFor: $0.participant) }
        + capabilities.map { RosterEvent(updates: [.capabilities($0, $1)], onlyFor: $0) }
      // The end of the meeting implies the departures of all participants.
      let recorded = RosterEvent(
        updates: meetingEnded == nil ? presenceUpdate : [], lost: lost, onlyFor: .nobody)
      let common = RosterEvent(ended: ended, meetingEnded: meetingEnded)
      return (personal + [recorded, common]).filter { !$0.isEmpty }.map { .publish($0) }
        + disconnected.map { .demote($0, in: primary, $1) }
    }
  }
}
