import Bus
import MeetingModel

/// The sessions of this gateway, by number, id and connection.
struct SessionTable {
  private var byNumber: [SessionNumber: GatewayClientSession] = [:]
  private var byID: [SessionID: SessionNumber] = [:]
  private var byRoute: [RoutingID: SessionNumber] = [:]

  /// The opening sessions, by id.
  private var openings: [SessionID: Set<SessionNumber>] = [:]

  /// The number of open sessions.
  var count: Int { byID.count }

  /// Whether the table contains an opening session.
  var isOpening: Bool { !openings.isEmpty }

  /// The open sessions.
  var all: [GatewayClientSession] { byID.values.compactMap { byNumber[$0] } }

  /// The opening sessions.
  var opening: [GatewayClientSession] { openings.values.joined().compactMap { byNumber[$0] } }

  /// Returns the open session with this id, and the opening sessions with this id.
  func all(of id: SessionID) -> [GatewayClientSession] {
    let numbers = (byID[id].map { [$0] } ?? []) + (openings[id] ?? [])
    return numbers.compactMap { byNumber[$0] }
  }

  /// The meetings in which an attendee participates through this gateway.
  var occupiedMeetings: Set<MeetingID> {
    all.reduce(into: []) { meetings, session in
      meetings.insert(session.meeting)
      if session.promotion.record != nil { meetings.insert(session.sourceMeeting) }
    }
  }

  /// Returns the open or opening session with this number.
  subscript(number: SessionNumber) -> GatewayClientSession? { byNumber[number] }

  /// Returns the session with this id if it is open.
  subscript(id: SessionID) -> GatewayClientSession? { byID[id].flatMap { byNumber[$0] } }

  /// Returns the open or opening session of this connection.
  subscript(route: RoutingID) -> GatewayClientSession? { byRoute[route].flatMap { byNumber[$0] } }

  /// Returns whether the table contains an open or opening session with this id.
  func isPresent(_ id: SessionID) -> Bool { byID[id] != nil || openings[id] != nil }

  /// Returns whether a session is not promoted: the session has ended, or it only watches.
  ///
  /// The gateway repeats the notice of a demotion while this result is `true`. The table treats a
  /// session whose promotion is in progress as not promoted, because the promotion may fail.
  /// Services receive the request of that promotion after the notice.
  func isUnpromoted(_ id: SessionID) -> Bool { self[id]?.promotion.record == nil }

  /// Adds an opening session.
  mutating func insert(_ session: GatewayClientSession) {
    byNumber[session.number] = session
    if let route = session.route { byRoute[route] = session.number }
    openings[session.id, default: []].insert(session.number)
  }

  /// Marks a session as open.
  mutating func open(_ session: GatewayClientSession) {
    endOpening(of: session)
    byID[session.id] = session.number
  }

  /// Removes a session.
  ///
  /// - Returns: Whether the table contained the session.
  mutating func remove(_ session: GatewayClientSession) -> Bool {
    guard byNumber.removeValue(forKey: session.number) != nil else { return false }
    if let route = session.route, byRoute[route] == session.number { byRoute[route] = nil }
    if byID[session.id] == session.number {
      byID[session.id] = nil
    } else {
      endOpening(of: session)
    }
    return true
  }

  private mutating func endOpening(of session: GatewayClientSession) {
    openings[session.id]?.remove(session.number)
    if openings[session.id]?.isEmpty == true { openings[session.id] = nil }
  }
}
