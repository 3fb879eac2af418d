import MeetingModel

/// Who came to which meeting in one turn of presence's loop: one event a meeting.
///
/// Each event is given to everybody who is there and kept for each who is slow; when thousands come
/// at once, what a join costs everybody is what its event costs, not its bytes.
struct JoinsOfTurn {
  /// Joins of one event at most: it is some 200 bytes for each.
  static let mostInEvent = 64

  private var changes: [MeetingID: [PresenceChange]] = [:]

  /// The meetings whose joins are only recorded.
  private var unseen: Set<MeetingID> = []

  /// Whose joins nobody has been told yet.
  var meetings: [MeetingID] { Array(changes.keys) }

  /// Keeps an event that tells of joins and of nothing else.
  ///
  /// - Returns: Whether it is kept. One that is not comes behind what is kept of its meeting.
  mutating func keep(_ event: RosterEvent, of meeting: MeetingID) -> Bool {
    guard case .presence(let joins)? = event.updates.first, event.updates.count == 1,
      event.ended.isEmpty, event.lost.isEmpty, event.meetingEnded == nil,
      event.onlyFor == nil || event.onlyFor == .nobody,
      joins.allSatisfy({ if case .joined = $0 { true } else { false } }),
      changes[meeting, default: []].count + joins.count <= Self.mostInEvent
    else { return false }
    changes[meeting, default: []] += joins
    // A meeting is a replica always or never.
    if event.onlyFor != nil { unseen.insert(meeting) }
    return true
  }

  /// The event of a meeting's joins, if there are any, which are then forgotten.
  mutating func taken(of meeting: MeetingID) -> RosterEvent? {
    let onlyFor = unseen.remove(meeting) == nil ? nil : ParticipantID.nobody
    return changes.removeValue(forKey: meeting).map {
      RosterEvent(updates: [.presence($0)], onlyFor: onlyFor)
    }
  }
}
