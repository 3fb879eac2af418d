import Bus
import MeetingModel

/// The sessions of this gateway, by number, id and connection.
struct SessionTable {
  private var byNumber: [SessionNumber: Session] = [:]
  private var byID: [SessionID: SessionNumber] = [:]
  private var byRoute: [Route: SessionNumber] = [:]

  /// The opening sessions of each id.
  private var openings: [SessionID: Set<SessionNumber>] = [:]

  /// The number of open sessions.
  var count: Int { byID.count }

  /// Whether any session is being opened.
  var isOpening: Bool { !openings.isEmpty }

  /// The open sessions.
  var all: [Session] { byID.values.compactMap { byNumber[$0] } }

  /// The sessions that are being opened.
  var opening: [Session] { openings.values.joined().compactMap { byNumber[$0] } }

  /// Returns the sessions of this id: the open one, and those that are being opened.
  func all(of id: SessionID) -> [Session] {
    let numbers = (byID[id].map { [$0] } ?? []) + (openings[id] ?? [])
    return numbers.compactMap { byNumber[$0] }
  }

  /// The meetings in which an attendee takes part through this gateway.
  var occupiedMeetings: Set<MeetingID> {
    all.reduce(into: []) { meetings, session in
      meetings.insert(session.meeting)
      if session.promotion.record != nil { meetings.insert(session.sourceMeeting) }
    }
  }

  /// Open or opening.
  subscript(number: SessionNumber) -> Session? { byNumber[number] }

  /// The session if it is open.
  subscript(id: SessionID) -> Session? { byID[id].flatMap { byNumber[$0] } }

  /// Open or opening.
  subscript(route: Route) -> Session? { byRoute[route].flatMap { byNumber[$0] } }

  /// Returns whether a session of this id is open or being opened.
  func isPresent(_ id: SessionID) -> Bool { byID[id] != nil || openings[id] != nil }

  /// Returns whether services should hold no promotion of a session: it is gone, or only watches.
  ///
  /// An attempt in progress may fail, and services receive its request afterwards.
  func isUnpromoted(_ id: SessionID) -> Bool { self[id]?.promotion.record == nil }

  /// Adds a session that is being opened.
  mutating func insert(_ session: Session) {
    byNumber[session.number] = session
    if let route = session.route { byRoute[route] = session.number }
    openings[session.id, default: []].insert(session.number)
  }

  /// Marks a session as open.
  mutating func open(_ session: Session) {
    endOpening(of: session)
    byID[session.id] = session.number
  }

  /// Removes a session.
  ///
  /// - Returns: Whether it was in the table.
  mutating func remove(_ session: Session) -> Bool {
    guard byNumber.removeValue(forKey: session.number) != nil else { return false }
    if let route = session.route, byRoute[route] == session.number { byRoute[route] = nil }
    if byID[session.id] == session.number {
      byID[session.id] = nil
    } else {
      endOpening(of: session)
    }
    return true
  }

  private mutating func endOpening(of session: Session) {
    openings[session.id]?.remove(session.number)
    if openings[session.id]?.isEmpty == true { openings[session.id] = nil }
  }
}
