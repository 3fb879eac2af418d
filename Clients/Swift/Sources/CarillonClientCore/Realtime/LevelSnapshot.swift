/// The last complete list of a level of all attendees, such as their volumes; turns the next list
/// into what is new in it.
struct LevelSnapshot<Level: Hashable & Sendable>: Sendable {
  /// One attendee's new level, and the one before if there was one.
  struct Change: Equatable, Sendable {
    let attendee: AttendeeInfo
    let previous: Level?
    let level: Level
  }

  private var levels: [AttendeeInfo: Level] = [:]

  /// Replaces the list. Who is missing from it is forgotten, and nothing is said of that; of
  /// several entries for one attendee the last one counts.
  mutating func replace(with entries: [(attendee: AttendeeInfo, level: Level)]) -> [Change] {
    var next: [AttendeeInfo: Level] = [:]
    var order: [AttendeeInfo] = []
    for (attendee, level) in entries where next.updateValue(level, forKey: attendee) == nil {
      order.append(attendee)
    }
    let changes = order.compactMap { attendee -> Change? in
      guard let level = next[attendee], levels[attendee] != level else { return nil }
      return Change(attendee: attendee, previous: levels[attendee], level: level)
    }
    levels = next
    return changes
  }
}
