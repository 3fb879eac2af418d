import MeetingModel

/// The sessions of one board, in the order in which they came, found by id.
struct SessionTable: Sendable {
  private(set) var all: [BoardSession] = []
  private var places: [SessionID: Int] = [:]

  var isEmpty: Bool { all.isEmpty }
  var count: Int { all.count }
  var indices: Range<Int> { all.indices }

  subscript(index: Int) -> BoardSession {
    _read { yield all[index] }
    _modify { yield &all[index] }
  }

  subscript(id: SessionID) -> BoardSession? { places[id].map { all[$0] } }

  func index(of id: SessionID) -> Int? { places[id] }

  /// The session that receives as this participant.
  func holder(of participant: ParticipantID) -> BoardSession? {
    all.first { $0.participant == participant }
  }

  /// Adds a session, or replaces the one with the same id.
  mutating func put(_ session: BoardSession) {
    if let index = places[session.id] {
      all[index] = session
    } else {
      places[session.id] = all.count
      all.append(session)
    }
  }

  mutating func remove(_ id: SessionID) {
    guard let index = places.removeValue(forKey: id) else { return }
    all.remove(at: index)
    for later in index..<all.count { places[all[later].id] = later }
  }
}
