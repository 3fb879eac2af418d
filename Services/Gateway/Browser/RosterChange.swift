import Wire

/// One change that `presence` has reported about a roster.
enum RosterChange: Hashable {
  case presence(V1.PresenceChange)
  case mute(V1.MuteChange)
}

extension [V1.RosterEntry] {
  /// Returns the roster that results from these changes, applied in order.
  func after(_ changes: [RosterChange]) -> [V1.RosterEntry] {
    guard !changes.isEmpty else { return self }
    var roster: [V1.RosterEntry?] = self
    var places: [String: Int] = [:]
    for (place, entry) in enumerated() {
      if let id = entry.attendee?.attendeeID { places[id] = place }
    }
    for change in changes {
      switch change {
      case .presence(let change):
        guard let id = change.attendee?.attendeeID else { continue }
        switch change.state {
        case .joined, .left, .dropped:
          if let place = places.removeValue(forKey: id) { roster[place] = nil }
          guard change.state == .joined else { continue }
          places[id] = roster.count
          roster.append(V1.RosterEntry(change))
        case .unspecified, .unrecognized: break
        }
      case .mute(let change):
        guard let place = places[change.attendeeID] else { continue }
        roster[place]?.isMuted = change.isMuted
        roster[place]?.isMutedByOperator = change.isMutedByOperator
        roster[place]?.isMuteUnknown = false
      }
    }
    return roster.compactMap { $0 }
  }
}

extension V1.RosterEntry {
  /// Creates the entry of an attendee who joined.
  fileprivate init(_ change: V1.PresenceChange) {
    self.init(
      attendee: change.attendee, isMuted: change.isMuted,
      isMutedByOperator: change.isMutedByOperator, capabilities: change.capabilities,
      joinedAtMs: change.joinedAtMs, isMuteUnknown: change.isMuteUnknown)
  }
}
