/// The last known levels of all attendees, such as their volumes. For a new list of levels, this
/// type returns only the changed levels.
struct LevelSnapshot<Level: Hashable & Sendable>: Sendable {
  /// One attendee's new level, and the previous level if there was one.
  struct Change: Equatable, Sendable {
    let attendee: AttendeeInfo
    let previous: Level?
    let level: Level
  }

  private var levels: [AttendeeInfo: Level] = [:]

  /// Replaces the list, and returns the changes.
  ///
  /// Removes attendees who are missing from the list, without reporting a change. If an attendee
  /// has several entries, the method uses the last entry.
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

  /// Updates the levels of some attendees, and returns the changes.
  ///
  /// If an attendee has several entries, the method uses the last entry.
  mutating func update(with entries: [(attendee: AttendeeInfo, level: Level)]) -> [Change] {
    let last = Dictionary(entries.map { ($0.attendee, $0.level) }, uniquingKeysWith: { $1 })
    var changes: [Change] = []
    for (attendee, _) in entries {
      guard let level = last[attendee], let previous = change(attendee, to: level) else { continue }
      changes.append(previous)
    }
    return changes
  }

  private mutating func change(_ attendee: AttendeeInfo, to level: Level) -> Change? {
    let previous = levels.updateValue(level, forKey: attendee)
    return previous == level ? nil : Change(attendee: attendee, previous: previous, level: level)
  }

  /// Removes the levels of attendees who left, without reporting a change.
  mutating func forget(_ attendees: [AttendeeInfo]) {
    for attendee in attendees { levels[attendee] = nil }
  }
}
