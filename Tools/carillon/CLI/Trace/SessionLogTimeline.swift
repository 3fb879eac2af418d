internal import MeetingModel

/// The log entries of one attendee's sessions, collected from lines in any order.
///
/// Services log a session by the session's id, and a request by the request's trace. Only some
/// lines also contain the attendee. From these lines, the timeline learns the ids. The newest lines
/// of unknown sessions wait until the timeline knows their attendee. The timeline limits the number
/// of waiting lines, so that logs of any length need only limited memory.
struct SessionLogTimeline {
  private let attendee: AttendeeID
  private let meeting: MeetingID?
  private let limit: Int
  private var sessions: Set<String> = []
  private var traces: Set<String> = []
  private var found: [ServiceLogLine] = []
  private var undecided: [ServiceLogLine] = []

  /// The number of lines that the timeline dropped because it had too many lines.
  private(set) var lost = 0

  /// - Parameters:
  ///   - meeting: The only meeting to show; `nil` for all meetings.
  ///   - limit: The maximum number of the attendee's lines to keep, and also the maximum number of
  ///     waiting lines.
  init(of attendee: AttendeeID, in meeting: MeetingID? = nil, limit: Int = 100_000) {
    (self.attendee, self.meeting, self.limit) = (attendee, meeting, limit)
  }

  /// The found entries, oldest first. Entries with equal times keep the order of the input.
  var entries: [ServiceLogLine] {
    found.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element)
  }

  /// Learns the attendee's sessions from an entry, and does not keep the entry.
  mutating func learn(from entry: ServiceLogLine) {
    guard namesAttendee(entry) else { return }
    if let session = entry.session { sessions.insert(session) }
    if let trace = entry.trace { traces.insert(trace) }
  }

  /// Keeps an entry if it belongs to the attendee, or if later lines may show that the entry
  /// belongs to the attendee.
  mutating func take(_ entry: ServiceLogLine) {
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

  /// Decides about waiting entries after the timeline has learnt new ids.
  private mutating func decide() {
    found += undecided.filter(isAttendees)
    undecided.removeAll(where: isAttendees)
  }

  private mutating func shortened(_ entries: [ServiceLogLine]) -> [ServiceLogLine] {
    lost += entries.count - limit
    return Array(entries.suffix(limit))
  }

  /// Returns whether the entry names the attendee. Logs contain shortened ids.
  private func namesAttendee(_ entry: ServiceLogLine) -> Bool {
    guard entry.attendee == "\(attendee)" else { return false }
    return meeting == nil || entry.meeting == nil || entry.meeting == "\(meeting ?? .random())"
  }

  private func isAttendees(_ entry: ServiceLogLine) -> Bool {
    namesAttendee(entry) || entry.session.map(sessions.contains) ?? false
      || entry.session == nil && entry.trace.map(traces.contains) ?? false
  }
}
