import MeetingModel

/// Decisions of the control plane.
extension TileBoard {
  /// Changes the capabilities of an attendee and its content share. Ends the sources that the
  /// attendee may no longer send.
  ///
  /// Remembers the decision for ``VideoTilesRules/decisionMemory``, because the attendee may be
  /// about to join.
  mutating func setCapabilities(
    _ attendee: AttendeeID, to capabilities: AttendeeCapabilities, at now: ContinuousClock.Instant
  ) -> [TileEffect] {
    capabilityDecisions = capabilityDecisions.filter {
      now < $0.value.moment + rules.decisionMemory
    }
    capabilityDecisions[attendee] = CapabilityDecision(moment: now, capabilities: capabilities)
    var changes = TileBoardChanges()
    for index in sessions.indices where sessions[index].belongs(to: attendee) {
      sessions[index].setCapabilities(of: attendee, to: capabilities)
      changes.refreshed.insert(sessions[index].id)
      changes.concernsCameras = true
      let entry = sessions[index]
      for source in boardSources where source.session == entry.id && !entry.maySend(source.kind) {
        end(source.tile, changes: &changes)
        let status = VideoTilesError.mayNotSend(source.kind).status
        changes.refusals.append((entry.participant, source.tile, source.kind, status))
      }
    }
    return conclude(changes)
  }

  /// Returns the session, corrected by decisions that the gateway may have missed when it read the
  /// store.
  func corrected(
    _ session: AnnouncedSession, at now: ContinuousClock.Instant
  ) -> AnnouncedSession {
    var session = session
    if let decided = decision(on: session.identity.id.attendee, at: now) {
      session.capabilities = decided
    }
    if case .promoted(let identity, _, let since) = session.place,
      let decided = decision(on: identity.id.attendee, at: now)
    {
      session.place = .promoted(as: identity, decided, sinceMs: since)
    }
    return session
  }

  /// Returns a recent decision about an attendee.
  func decision(
    on attendee: AttendeeID, at now: ContinuousClock.Instant
  ) -> AttendeeCapabilities? {
    guard let decision = capabilityDecisions[attendee],
      now < decision.moment + rules.decisionMemory
    else { return nil }
    return decision.capabilities
  }
}
