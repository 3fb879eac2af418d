internal import Wire

extension V1.SessionEvent {
  /// Returns the attendee's mute states that the event reports, in order. The result does not
  /// contain operators' mutes.
  func reportedMutes(of attendeeID: String) -> [Bool] {
    switch event {
    case .rosterSnapshot(let snapshot):
      snapshot.entries.filter {
        $0.attendee?.attendeeID == attendeeID && !$0.isMutedByOperator && !$0.isMuteUnknown
      }.map(\.isMuted)
    case .presenceChanged(let change):
      change.changes.filter {
        $0.attendee?.attendeeID == attendeeID && $0.state == .joined && !$0.isMutedByOperator
          && !$0.isMuteUnknown
      }.map(\.isMuted)
    case .muteChanged(let change):
      change.changes.filter { $0.attendeeID == attendeeID && !$0.isMutedByOperator }.map(\.isMuted)
    default: []
    }
  }
}
