import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import VideoTiles

@Suite struct TileBoardReplicaTests {
  let clock = Clock()

  private func board(_ rules: VideoTilesRules = VideoTilesRules()) throws -> TileBoard {
    var board = TileBoard.settled(clock, rules)
    try board.join(Person.grace.description(publishing: .camera(600)), clock)
    try board.join(Person.ada.description(place: .replica), clock)
    return board
  }

  @Test func `a session in a replica receives video and cannot publish`() throws {
    var board = try board()
    #expect(board.layers(of: .ada) == [Person.grace.participant: 1])
    #expect(board.tiles(of: [Person.ada.participant]).map(\.camera) == [.viewOnly])
    #expect(throws: VideoTilesError.inReplica) { try board.publish(.camera(600), by: .ada) }
  }

  @Test func `a promoted session publishes as the attendee of the primary`() throws {
    var board = try board()
    let (camera, effects) = try board.promote(
      Person.ada.session(), as: Person.edsger.identity, .all, at: clock[.zero])
    #expect(camera == .available)
    #expect(effects.events(for: .ada) == [.camera(.available)])
    try board.publish(.camera(600), by: .ada)
    #expect(board.sources.last?.publisher == Person.edsger.identity)
    #expect(board.layers(of: .grace) == [Person.edsger.participant: 1])
    #expect(board.layers(of: .ada) == [Person.grace.participant: 1])
    let cut = board.setCapabilities(Person.edsger.attendee, to: .watching, at: clock[.zero])
    #expect(cut.events(for: .ada).contains(.camera(.notAllowed)))
    #expect(board.sources.count == 1)
  }

  @Test func `a demotion ends the session's source and keeps the session's tiles`() throws {
    var board = try board()
    _ = try board.promote(
      Person.ada.session(), as: Person.edsger.identity, .all, at: clock[.zero])
    try board.publish(.camera(600), by: .ada)
    let effects = board.demote(Person.ada.session(), by: nil)
    #expect(effects.events(for: .ada).last == .camera(.viewOnly))
    #expect(board.sources.count == 1)
    #expect(board.layers(of: .ada).count == 1)
    #expect(board.demote(Person.ada.session(), by: nil).isEmpty)
    #expect(board.demote(Person.grace.session(), by: nil).isEmpty)
  }

  @Test func `only the gateway that serves a session can promote or demote that session`() throws {
    var board = try board()
    _ = try board.promote(
      Person.ada.session(), as: Person.edsger.identity, .all, at: clock[.zero])
    #expect(throws: VideoTilesError.unknownSession) {
      try board.promote(
        Person.ada.session(), as: Person.barbara.identity, .all, through: .b, at: clock[.zero])
    }
    #expect(board.demote(Person.ada.session(), by: .b).isEmpty)
    #expect(board.sessions[Person.ada.session()]?.publisher == Person.edsger.identity)
    #expect(!board.demote(Person.ada.session(), by: .a).isEmpty)
    #expect(board.sessions[Person.ada.session()]?.place == .replica)
  }

  @Test func `each kind of disconnect demotes a promoted session`() throws {
    var board = try board()
    for disconnect in [
      { (board: inout TileBoard) in
        _ = board.detach(
          Person.ada.session(), from: .a, lastHeard: clock[.zero], at: clock[.zero])
      },
      { (board: inout TileBoard) in _ = board.loseGateway(.a, at: clock[.zero]) },
    ] {
      try board.join(Person.ada.description(place: .replica), clock, as: .resume)
      _ = try board.promote(
        Person.ada.session(), as: Person.edsger.identity, .all, at: clock[.zero])
      try board.publish(.camera(600), by: .ada)
      disconnect(&board)
      #expect(board.sources.count == 1)
      #expect(board.sessions[Person.ada.session()]?.place == .replica)
    }
  }

  @Test func `an attendee of the primary has only one source, even if two sessions publish`() throws
  {
    var board = try board()
    try board.join(Person.barbara.description(place: .replica), clock)
    for person in [Person.ada, .barbara] {
      _ = try board.promote(
        person.session(), as: Person.edsger.identity, .all, at: clock[.zero])
      try board.publish(.camera(600), by: person)
    }
    #expect(board.sources.count == 2)
    _ = board.demote(Person.ada.session(), by: .a)
    #expect(board.sources.count == 2)
    _ = board.demote(Person.barbara.session(), by: .a)
    #expect(board.sources.count == 1)
  }

  @Test(arguments: [true, false])
  func `a session that was promoted earlier cannot take over the source`(isAnnounced: Bool) throws {
    var board = try board()
    try board.join(Person.barbara.description(place: .replica), clock, through: .b)
    _ = try board.promote(
      Person.barbara.session(), as: Person.edsger.identity, .all, sinceMs: 2_000, through: .b,
      at: clock[.zero])
    try board.publish(.camera(600), by: .barbara)
    if isAnnounced {
      let place = ActingMeeting.promoted(as: Person.edsger.identity, .all, sinceMs: 1_000)
      let ada = Person.ada.description(publishing: .camera(300), place: place)
      _ = board.announce([ada], through: .a, at: clock[.zero])
    } else {
      _ = try board.promote(
        Person.ada.session(), as: Person.edsger.identity, .all, sinceMs: 1_000, through: .a,
        at: clock[.zero])
      #expect(throws: VideoTilesError.joinedElsewhere) {
        try board.publish(.camera(300), by: .ada)
      }
    }
    // Presence notifies Ada's gateway that a newer session has replaced Ada's session.
    _ = board.demote(Person.ada.session(), by: .a)
    #expect(board.sources.map(\.publisher.id).contains(Person.edsger.participant))
  }

  @Test func `a session that is promoted later takes over the source`() throws {
    var board = try board()
    try board.join(Person.barbara.description(place: .replica), clock, through: .b)
    _ = try board.promote(
      Person.barbara.session(), as: Person.edsger.identity, .all, sinceMs: 1_000, through: .b,
      at: clock[.zero])
    try board.publish(.camera(600), by: .barbara)
    _ = try board.promote(
      Person.ada.session(), as: Person.edsger.identity, .all, sinceMs: 2_000, through: .a,
      at: clock[.zero])
    try board.publish(.camera(600), by: .ada)
    _ = board.demote(Person.barbara.session(), by: .b)
    #expect(board.sources.map(\.publisher.id).contains(Person.edsger.participant))
  }

  @Test func `a delayed promotion does not end a newer promotion`() throws {
    var board = try board()
    try board.join(Person.barbara.description(place: .replica), clock)
    for person in [Person.barbara, .ada] {
      _ = try board.promote(
        person.session(), as: Person.edsger.identity, .all, at: clock[.zero])
    }
    // Ada's request arrived too late: presence had already ended her promotion. Her gateway now
    // reports this end.
    _ = board.demote(Person.ada.session(), by: .a)
    #expect(board.sessions[Person.barbara.session()]?.publisher == Person.edsger.identity)
    #expect(board.sessions[Person.ada.session()]?.place == .replica)
  }

  @Test(arguments: [SessionArrival.start, .resume, .announcement])
  func `a former gateway's join does not move the session to that gateway`(arrival: SessionArrival)
    throws
  {
    var board = try board()
    var session = Person.barbara.description()
    session.openedAtMs = 2_000
    try board.join(session, clock, through: .b)
    session.openedAtMs = 1_000
    if arrival == .announcement {
      #expect(board.announce([session], through: .a, at: clock[.zero]).refused.isEmpty)
    } else {
      #expect(throws: VideoTilesError.joinedElsewhere) {
        try board.join(session, clock, through: .a, as: arrival)
      }
    }
    #expect(board.sessions[session.id]?.contact == .connected(.b))
  }

  @Test func `a session can reconnect although the clock was set back an hour`() throws {
    var board = try board()
    var session = Person.barbara.description()
    session.openedAtMs = 3_700_000
    try board.join(session, clock, through: .a)
    session.openedAtMs = 100_000
    try board.join(session, clock, through: .b)
    #expect(board.sessions[session.id]?.contact == .connected(.b))
  }

  @Test func `an older session does not replace a newer session at another gateway`() throws {
    var board = try board()
    var (newer, older) = (Person.barbara.description(1), Person.barbara.description(0))
    (newer.openedAtMs, older.openedAtMs) = (2_000, 1_000)
    try board.join(newer, clock, through: .b)
    #expect(throws: VideoTilesError.joinedElsewhere) { try board.join(older, clock, through: .a) }
    #expect(board.sessions[newer.id] != nil)
  }

  @Test func `only a session in a replica can be promoted`() throws {
    var board = try board()
    #expect(throws: VideoTilesError.notInReplica) {
      try board.promote(Person.grace.session(), as: Person.edsger.identity, .all, at: clock[.zero])
    }
    #expect(throws: VideoTilesError.unknownSession) {
      try board.promote(Person.edsger.session(), as: Person.ada.identity, .all, at: clock[.zero])
    }
  }
}
