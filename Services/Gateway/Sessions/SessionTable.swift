import Bus
import MeetingModel

/// The sessions of this gateway, by number, by id and by the connection they came by.
struct SessionTable {
  private var byNumber: [SessionNumber: Session] = [:]
  private var byID: [SessionID: SessionNumber] = [:]
  private var byRoute: [Route: SessionNumber] = [:]

  /// The opening sessions of each id.
  private var openings: [SessionID: Set<SessionNumber>] = [:]

  /// How many are open.
  var count: Int { byID.count }

  /// Whether some session is on its way.
  var isOpening: Bool { !openings.isEmpty }

  /// Those that are open.
  var all: [Session] { byID.values.compactMap { byNumber[$0] } }

  /// Those that are on their way.
  var opening: [Session] { openings.values.joined().compactMap { byNumber[$0] } }

  /// The sessions of this id: the open one, and those that are on their way.
  func all(of id: SessionID) -> [Session] {
    let numbers = (byID[id].map { [$0] } ?? []) + (openings[id] ?? [])
    return numbers.compactMap { byNumber[$0] }
  }

  /// The meetings that somebody is in by way of this gateway.
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

  /// Whether a session of this id is open or about to be.
  func isPresent(_ id: SessionID) -> Bool { byID[id] != nil || openings[id] != nil }

  /// Whether the services are to know of no promotion of a session: it is gone, or only watches.
  /// An attempt that is under way may fail; what it asks for, services hear afterwards.
  func isUnpromoted(_ id: SessionID) -> Bool { self[id]?.promotion.record == nil }

  /// A session is being opened.
  mutating func insert(_ session: Session) {
    byNumber[session.number] = session
    if let route = session.route { byRoute[route] = session.number }
    openings[session.id, default: []].insert(session.number)
  }

  /// An opening session is open now.
  mutating func open(_ session: Session) {
    endOpening(of: session)
    byID[session.id] = session.number
  }

  /// - Returns: Whether it was there.
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
