import Bus
import MeetingModel
import Wire

extension MeetingEventStream {
  /// Publishes the event of a roster.
  ///
  /// Publishes each update as a separate event. The last of these events also lists the sessions
  /// that end and the sessions that `presence` drops, and contains the status with which the
  /// meeting ends.
  func publish(_ event: RosterEvent) {
    let onlyFor = IDTexts(event.onlyFor)
    for update in event.updates.dropLast() { publish(V1.SessionEvent(update), onlyFor: onlyFor) }
    publish(
      event.updates.last.map { V1.SessionEvent($0) }, onlyFor: onlyFor,
      ended: event.ended.map { V1.EndedSession($0) }, lost: event.lost,
      meetingEnded: event.meetingEnded)
  }

  /// Publishes levels as a volatile event.
  func publish(_ update: LevelsUpdate) {
    publishVolatile { tick in
      V1.SessionEvent(
        event: .levelsChanged(
          V1.LevelsChanged(
            epoch: epoch, tick: tick,
            volumes: update.volumes.map {
              V1.VolumeChange(
                attendeeID: $0.participant.text, level: V1.VolumeLevel($0.level))
            },
            signals: update.signals.map {
              V1.SignalChange(
                attendeeID: $0.participant.text, strength: V1.SignalStrength($0.strength))
            })))
    }
  }

  /// Returns a snapshot at the position of the last published event.
  func snapshot(of entries: [RosterEntry]) -> V1.RosterSnapshot {
    V1.RosterSnapshot(
      meetingID: meeting.text, epoch: epoch, sequence: lastSequence,
      entries: entries.map { V1.RosterEntry($0) }, tick: lastTick)
  }
}

extension V1.SessionEvent {
  fileprivate init(_ update: RosterUpdate) {
    switch update {
    case .presence(let changes):
      self.init(
        event: .presenceChanged(
          V1.PresenceChanged(changes: changes.map { V1.PresenceChange($0) })))
    case .mute(let changes):
      self.init(event: .muteChanged(V1.MuteChanged(changes: changes.map { V1.MuteChange($0) })))
    case .capabilities(let participant, let capabilities):
      self.init(
        event: .capabilitiesChanged(
          V1.CapabilitiesChanged(
            attendeeID: participant.text, capabilities: V1.Capabilities(capabilities))))
    }
  }
}

extension V1.PresenceChange {
  fileprivate init(_ change: PresenceChange) {
    switch change {
    case .joined(let entry):
      self.init(
        attendee: V1.AttendeeInfo(entry.identity), state: .joined, reason: .client,
        isMuted: entry.mute.isMuted, isMutedByOperator: entry.mute.isByOperator,
        joinedAtMs: entry.joinedAtMs, capabilities: V1.Capabilities(entry.capabilities),
        isMuteUnknown: entry.mute.isUnknown)
    case .departed(let identity, let reason):
      self.init(
        attendee: V1.AttendeeInfo(identity), state: V1.AttendeeState(reason.departedState),
        reason: V1.PresenceReason(reason), departedAtMs: WallClock.nowMs)
    }
  }
}

extension V1.RosterEntry {
  fileprivate init(_ entry: RosterEntry) {
    self.init(
      attendee: V1.AttendeeInfo(entry.identity), isMuted: entry.mute.isMuted,
      isMutedByOperator: entry.mute.isByOperator, volume: V1.VolumeLevel(entry.volume),
      signal: entry.signal.map { V1.SignalStrength($0) } ?? .unspecified,
      capabilities: V1.Capabilities(entry.capabilities), joinedAtMs: entry.joinedAtMs,
      isMuteUnknown: entry.mute.isUnknown)
  }
}

extension V1.MuteChange {
  fileprivate init(_ change: MuteChange) {
    self.init(
      attendeeID: change.participant.text, isMuted: change.mute.isMuted,
      isMutedByOperator: change.mute.isByOperator)
  }
}

extension V1.EndedSession {
  fileprivate init(_ ended: SessionToEnd) {
    self.init(sessionID: ended.session.bytes, status: V1.Status(ended.status))
  }
}
