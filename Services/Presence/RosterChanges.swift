import MeetingModel

/// What one operation on a roster changed, gathered to become one event.
struct RosterChanges {
  var presence: [PresenceChange] = []
  var mutes: [MuteChange] = []
  var capabilities: [(ParticipantID, AttendeeCapabilities)] = []
  var ended: [EndedSession] = []

  /// Sessions that are given up without a word of their clients.
  var lost: [SessionID] = []
  var meetingEnded: Status?

  /// Sessions that are not connected here any more.
  var disconnected: [(SessionID, PresenceReason)] = []

  /// The session of a participant is given up. That of a promoted one goes on in its replica.
  mutating func lose(_ participant: Participant) {
    if !participant.isPromoted { lost.append(participant.session) }
  }

  /// Notes what others see of the step from `before` to `participant`, and counts its volume as
  /// told where a mute tells it.
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

  /// What to do about it in a meeting of this kind.
  ///
  /// In a replica nobody learns of anybody; mute and capabilities are told to their owner alone,
  /// and who came and went is told for the record.
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
      // Everybody's departure is in the end of the meeting.
      let recorded = RosterEvent(
        updates: meetingEnded == nil ? presenceUpdate : [], lost: lost, onlyFor: .nobody)
      let common = RosterEvent(ended: ended, meetingEnded: meetingEnded)
      return (personal + [recorded, common]).filter { !$0.isEmpty }.map { .publish($0) }
        + disconnected.map { .demote($0, in: primary, $1) }
    }
  }
}
