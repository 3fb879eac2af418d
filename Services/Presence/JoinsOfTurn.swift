import MeetingModel

/// The joins of one turn of presence's loop, combined into one event per meeting.
///
/// Each event is delivered to all attendees and queued for each slow one. When thousands join at
/// once, the cost of a join is the cost of its event, not of its bytes.
struct JoinsOfTurn {
  /// The most joins in one event, at some 200 bytes each.
  static let mostInEvent = 64

  private var changes: [MeetingID: [PresenceChange]] = [:]

  /// The meetings whose joins are recorded but shown to nobody.
  private var unseen: Set<MeetingID> = []

  /// The meetings with joins that are not published yet.
  var meetings: [MeetingID] { Array(changes.keys) }

  /// Keeps an event that contains joins and nothing else.
  ///
  /// - Returns: Whether it is kept. Otherwise publish it after the kept joins of its meeting.
  mutating func keep(_ event: RosterEvent, of meeting: MeetingID) -> Bool {
    guard case .presence(let joins)? = event.updates.first, event.updates.count == 1,
      event.ended.isEmpty, event.lost.isEmpty, event.meetingEnded == nil,
      event.onlyFor == nil || event.onlyFor == .nobody,
      joins.allSatisfy({ if case .joined = $0 { true } else { false } }),
      changes[meeting, default: []].count + joins.count <= Self.mostInEvent
    else { return false }
    changes[meeting, default: []] += joins
    // A meeting is always a replica or never.
    if event.onlyFor != nil { unseen.insert(meeting) }
    return true
  }

  /// Removes and returns the event of a meeting's joins, if there are any.
  mutating func taken(of meeting: MeetingID) -> RosterEvent? {
    let onlyFor = unseen.remove(meeting) == nil ? nil : ParticipantID.nobody
    return changes.removeValue(forKey: meeting).map {
      RosterEvent(updates: [.presence($0)], onlyFor: onlyFor)
    }
  }
}
