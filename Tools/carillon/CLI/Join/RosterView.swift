internal import CarillonClientCore
internal import MeetingViews

/// The state of a meeting that `carillon join` shows: its attendees and the last events.
///
/// The view is a value that applies events, and returns the lines of a screen.
struct RosterView: Hashable, Sendable {
  enum Connection: String, Hashable, Sendable {
    case connecting
    case connected
    case reconnecting
    case ended
  }

  /// An attendee in the meeting.
  struct Row: Hashable, Sendable {
    let attendee: AttendeeName
    var isMuted = false
    /// The volume; `nil` until the session reports the volume.
    var volume: VolumeLevel?
    /// The signal strength; `nil` until the session reports the signal strength.
    var signal: SignalStrength?
  }

  /// A line about an event.
  struct Entry: Hashable, Sendable {
    let time: String
    let text: String
  }

  /// The maximum number of entries. The view drops older entries.
  static let mostEntries = 100

  let meetingID: String
  let localAttendeeID: String
  private(set) var connection = Connection.connecting
  /// The rows, in the order of the joins.
  private(set) var rows: [Row] = []
  /// The entries, newest last.
  private(set) var entries: [Entry] = []

  init(meetingID: String, localAttendeeID: String) {
    self.meetingID = meetingID
    self.localAttendeeID = localAttendeeID
  }

  /// Whether the local attendee is muted.
  var isMuted: Bool { rows.first { isLocal($0.attendee) }?.isMuted ?? false }

  func isLocal(_ attendee: AttendeeName) -> Bool { attendee.attendeeID == localAttendeeID }

  // MARK: - Events

  /// Applies an event.
  ///
  /// - Parameter time: The time of the event, as the view shows it.
  mutating func apply(_ event: ObservedEvent, at time: String) {
    switch event {
    case .started: change(.connected, "connected", time)
    case .reconnecting: change(.reconnecting, "the connection was lost and is tried again", time)
    case .reconnected: change(.connected, "connected again", time)
    case .ended(_, let name): change(.ended, "the session ended: \(name)", time)
    case .attendee(let change, let attendee):
      apply(change, to: attendee)
      note("\(label(of: attendee)) \(change.rawValue)", at: time)
    case .message(let message):
      note("\(message.senderName) on \(message.topicName): \(message.shownData)", at: time)
    case .throttled(let message):
      note("too many messages, not sent: \(message.shownData)", at: time)
    case .messagesResumed(isComplete: true), .transcript: break
    case .promotion: note(event.text, at: time)
    case .messagesResumed(isComplete: false): note("some messages were lost", at: time)
    }
  }

  mutating func apply(_ change: AttendeeLevelChange) {
    switch change {
    case .volume(let level, let attendee):
      update(attendee) { row in
        row.volume = level
        if level == .muted { row.isMuted = true }
      }
    case .signal(let strength, let attendee):
      update(attendee) { $0.signal = strength }
    }
  }

  /// Adds an entry.
  mutating func note(_ text: String, at time: String) {
    entries.append(Entry(time: time, text: text))
    entries.removeFirst(max(0, entries.count - Self.mostEntries))
  }

  func label(of attendee: AttendeeName) -> String {
    isLocal(attendee) ? "\(attendee.shown) (you)" : attendee.shown
  }

  private mutating func change(_ connection: Connection, _ text: String, _ time: String) {
    self.connection = connection
    note(text, at: time)
  }

  private mutating func apply(_ change: ObservedEvent.Change, to attendee: AttendeeName) {
    switch change {
    case .joined:
      if !rows.contains(where: { $0.attendee.attendeeID == attendee.attendeeID }) {
        rows.append(Row(attendee: attendee))
      }
    case .left, .dropped: rows.removeAll { $0.attendee.attendeeID == attendee.attendeeID }
    case .muted: update(attendee) { $0.isMuted = true }
    case .unmuted: update(attendee) { $0.isMuted = false }
    }
  }

  private mutating func update(_ attendee: AttendeeName, _ change: (inout Row) -> Void) {
    guard let index = rows.firstIndex(where: { $0.attendee.attendeeID == attendee.attendeeID })
    else { return }
    change(&rows[index])
  }
}
