import MeetingModel
import Wire

// Learns of mutes by hosts. The host may use another gateway than the muted attendee, so `presence`
// reports these mutes to each gateway.
extension PresenceServiceConnector {
  /// Records the mutes that an event reports for this gateway's sessions.
  func learnMutes(in body: [UInt8], of hub: StreamHub) {
    guard let events = try? V1.SessionEvents(packed: body).events else { return }
    for case .muteChanged(let changed)? in events.map(\.event) {
      applyMutes(changed.changes, in: hub.meeting)
      // Skip operators' mutes: `OperatorAttendeeDecisions` records them.
      let changes = changed.changes.filter { !$0.isMutedByOperator }
      learn(changes.map { ($0.attendeeID, $0.isMuted) }, in: hub)
    }
  }

  /// Records the mutes in a roster, because the gateway may have missed the event of a mute.
  func learnMutes(in snapshot: V1.RosterSnapshot, of hub: StreamHub) {
    let entries = snapshot.entries.filter { !$0.isMutedByOperator && !$0.isMuteUnknown }
    learn(entries.map { ($0.attendee?.attendeeID ?? "", $0.isMuted) }, in: hub)
  }

  /// Records mutes of attendees, and reports each change of a host's mute to the coordinator.
  ///
  /// A new owner sends each gateway the roster of every meeting, and meetings may have thousands of
  /// attendees. So the time of this method must grow with the sum of attendees and sessions, and
  /// not with their product.
  private func learn(_ mutes: [(participant: String, isMuted: Bool)], in hub: StreamHub) {
    guard !mutes.isEmpty else { return }
    var isMuted: [ParticipantID: Bool] = [:]
    for mute in mutes {
      if let id = try? ParticipantID(mute.participant) { isMuted[id] = mute.isMuted }
    }
    for session in hub.sessions {
      guard let isMuted = isMuted[session.actorID] else { continue }
      if session.reportMute(isMuted) { context.coordinator.mutedByHost(session) }
    }
  }
}
