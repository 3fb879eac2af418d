internal import MeetingModel

/// What logs say of the sessions of one attendee, put together from lines in any order.
///
/// Services name a session by its id and what it asks by a trace; only some lines name the attendee
/// too. From those it learns the ids. Lines of sessions that nobody has named yet wait for that,
/// the newest so many of them: what it keeps has a bound, however long the logs are.
struct SessionTimeline {
  private let attendee: AttendeeID
  private let meeting: MeetingID?
  private let limit: Int
  private var sessions: Set<String> = []
  private var traces: Set<String> = []
  private var found: [LogEntry] = []
  private var undecided: [LogEntry] = []

  /// How many lines were let go of because there were too many.
  private(set) var lost = 0

  /// - Parameters:
  ///   - meeting: Only in this one; `nil`: in all.
  ///   - limit: How many lines of the attendee are kept, and as many of others.
  init(of attendee: AttendeeID, in meeting: MeetingID? = nil, limit: Int = 100_000) {
    (self.attendee, self.meeting, self.limit) = (attendee, meeting, limit)
  }

  /// What was found, oldest first. Lines of one moment stay in the order they came in.
  var entries: [LogEntry] {
    found.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }

  /// Learns which sessions are the attendee's, and keeps nothing.
  mutating func learn(from entry: LogEntry) {
    guard namesAttendee(entry) else { return }
    if let session = entry.session { sessions.insert(session) }
    if let trace = entry.trace { traces.insert(trace) }
  }

  /// Takes the line in if it is the attendee's, now or once that is known.
  mutating func take(_ entry: LogEntry) {
    let known = sessions.count + traces.count
    learn(from: entry)
    if sessions.count + traces.count > known { decide() }
    if isAttendees(entry) {
      found.append(entry)
      if found.count > limit * 5 / 4 { found = shortened(entries) }
    } else if entry.session != nil || entry.trace != nil {
      undecided.append(entry)
      if undecided.count > limit * 5 / 4 { undecided = shortened(undecided) }
    }
  }

  /// More is known of whose lines there are.
  private mutating func decide() {
    found += undecided.filter(isAttendees)
    undecided.removeAll(where: isAttendees)
  }

  private mutating func shortened(_ entries: [LogEntry]) -> [LogEntry] {
    lost += entries.count - limit
    return Array(entries.suffix(limit))
  }

  /// Logs show the beginning of an id.
  private func namesAttendee(_ entry: LogEntry) -> Bool {
    guard entry.attendee == "\(attendee)" else { return false }
    return meeting == nil || entry.meeting == nil || entry.meeting == "\(meeting ?? .random())"
  }

  private func isAttendees(_ entry: LogEntry) -> Bool {
    namesAttendee(entry) || entry.session.map(sessions.contains) ?? false
      || entry.session == nil && entry.trace.map(traces.contains) ?? false
  }
}
