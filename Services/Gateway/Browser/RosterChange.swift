import Wire

/// One change of a roster, as presence tells of it.
enum RosterChange: Hashable {
  case presence(V1.PresenceChange)
  case mute(V1.MuteChange)
}

extension [V1.RosterEntry] {
  /// The roster after some changes, in their order.
  func after(_ changes: [RosterChange]) -> [V1.RosterEntry] {
    var roster = self
    for change in changes {
      switch change {
      case .presence(let change): roster.take(change)
      case .mute(let change):
        for index in roster.indices where roster[index].attendee?.attendeeID == change.attendeeID {
          roster[index].isMuted = change.isMuted
          roster[index].isMutedByOperator = change.isMutedByOperator
        }
      }
    }
    return roster
  }

  private mutating func take(_ change: V1.PresenceChange) {
    switch change.state {
    case .joined, .left, .dropped:
      removeAll { $0.attendee?.attendeeID == change.attendee?.attendeeID }
      guard change.state == .joined else { return }
      append(
        V1.RosterEntry(
          attendee: change.attendee, isMuted: change.isMuted,
          isMutedByOperator: change.isMutedByOperator, capabilities: change.capabilities,
          joinedAtMs: change.joinedAtMs))
    case .unspecified, .unrecognized: break
    }
  }
}
