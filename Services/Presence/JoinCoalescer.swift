import MeetingModel

/// The joins of one turn of the event loop, combined into one event for each meeting.
///
/// `presence` delivers each event to all attendees, and queues it for each slow attendee. If
/// thousands of attendees join at the same time, the cost depends mostly on the number of events,
/// and less on their size.
struct JoinCoalescer {
  /// The maximum number of joins in one event. A join has about 200 bytes.
  static let mostInEvent = 64

  private var changes: [MeetingID: [PresenceChange]] = [:]

  /// The meetings whose joins are only for the meetings' records, and not for clients.
  private var unseen: Set<MeetingID> = []

  /// The meetings with joins that `presence` has not published yet.
  var meetings: [MeetingID] { Array(changes.keys) }

  /// Adds an event if it contains only joins.
  ///
  /// - Returns: Whether this type added the event. Otherwise the caller publishes the event after
  ///   the meeting's joins.
  mutating func keep(_ event: RosterEvent, of meeting: MeetingID) -> Bool {
    guard case .presence(let joins)? = event.updates.first, event.updates.count == 1,
      event.ended.isEmpty, event.lost.isEmpty, event.meetingEnded == nil,
      event.onlyFor == nil || event.onlyFor == .nobody,
      joins.allSatisfy({ if case .joined = $0 { true } else { false } }),
      changes[meeting, default: []].count + joins.count <= Self.mostInEvent
    else { return false }
    changes[meeting, default: []] += joins
    // `presence` publishes the joins in a replica only for the records, and no client receives
    // them. A replica never becomes a primary, so a single such join shows that the whole meeting
    // is a replica.
    if event.onlyFor != nil { unseen.insert(meeting) }
    return true
  }

  /// Removes and returns the event that contains a meeting's joins; `nil` if there are no joins.
  mutating func taken(of meeting: MeetingID) -> RosterEvent? {
    let onlyFor = unseen.remove(meeting) == nil ? nil : ParticipantID.nobody
    return changes.removeValue(forKey: meeting).map {
      RosterEvent(updates: [.presence($0)], onlyFor: onlyFor)
    }
  }
}
