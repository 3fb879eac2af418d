import MeetingModel
import Wire

// Mutes by hosts. A host may use another gateway, so each gateway learns of these mutes from
// presence.
extension PresenceConnector {
  /// Records the mutes that an event reports of sessions here.
  func learnMutes(in body: [UInt8], of hub: StreamHub) {
    guard let events = try? V1.SessionEvents(packed: body).events else { return }
    for case .muteChanged(let changed)? in events.map(\.event) {
      // Skip operators' mutes: `OperatorDecisions` records them.
      for change in changed.changes where !change.isMutedByOperator {
        learnMute(change.isMuted, of: change.attendeeID, in: hub)
      }
    }
  }

  /// Records the mutes that a roster shows, because the event of a mute may be missing.
  func learnMutes(in snapshot: V1.RosterSnapshot, of hub: StreamHub) {
    for entry in snapshot.entries where !entry.isMutedByOperator && !entry.isMuteUnknown {
      guard let attendee = entry.attendee else { continue }
      learnMute(entry.isMuted, of: attendee.attendeeID, in: hub)
    }
  }

  /// Records an attendee's mute, unless its own client has asked for it.
  private func learnMute(_ isMuted: Bool, of participant: String, in hub: StreamHub) {
    for session in hub.sessions where session.actorID.text == participant {
      if session.reportMute(isMuted) { context.coordinator.mutedByHost(session) }
    }
  }
}
