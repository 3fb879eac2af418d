import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import VideoTiles

@Suite struct TileBoardSessionTests {
  let clock = Clock()

  @Test func `a join causes no events, and the new session has tiles of the existing cameras`()
    throws
  {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(publishing: .camera(600)), clock)
    let effects = try board.join(Person.grace.description(), clock)
    #expect(effects.events.isEmpty)
    #expect(effects.forwarding?.receivers.map(\.session) == [Person.grace.session()])
    let tiles = board.tiles(of: [Person.grace.participant])
    #expect(tiles.flatMap(\.tiles).map(\.publisher) == [Person.ada.participant])
    #expect(tiles.map(\.camera) == [.available])
  }

  @Test
  func `a repeated join of a session replaces the session's sources and the session's pauses`()
    throws
  {
    var board = TileBoard.settled(clock)
    try board.join(Person.grace.description(publishing: .camera(600)), clock)
    try board.join(Person.ada.description(publishing: .camera(600)), clock)
    let source = try #require(board.sources.last)
    _ = try board.setPaused(.numbered(1), of: Person.ada.session(), to: true)
    let effects = try board.join(Person.ada.description(), clock, as: .resume)
    let view = try #require(board.view(of: .numbered(1), for: Person.ada.session()))
    #expect(view.pauseState == .unpaused)
    #expect(
      effects.events(for: .ada) == [
        .sources(available: [], unavailable: [source]), .tiles([.shows(view)]),
      ])
    #expect(try board.join(Person.ada.description(), clock, as: .resume).isEmpty)
  }

  @Test func `a newer session takes over the source that it declares`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.grace.description(), clock)
    try board.join(Person.ada.description(publishing: .camera(150, 600)), clock)
    let before = board.sources
    let effects = try board.join(Person.ada.description(1, publishing: .camera(150, 600)), clock)
    #expect(effects.events.isEmpty)
    #expect(board.sources == before)
    #expect(
      effects.forwarding?.sources
        == [ForwardedSource(source: before[0], session: Person.ada.session(1))])
    #expect(effects.forwarding?.endedSessions == [Person.ada.session()])
    #expect(board.sessions.count == 2)
    let silent = try board.join(Person.ada.description(2), clock)
    #expect(silent.events == [.sources(available: [], unavailable: before)])
  }

  @Test func `an older session cannot resume while a newer session is connected`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(1), clock)
    #expect(throws: VideoTilesError.joinedElsewhere) {
      try board.join(Person.ada.description(), clock, as: .resume)
    }
    let outcome = board.announce([Person.ada.description()], through: .b, at: clock[.zero])
    #expect(outcome.refused.map(\.reason) == [.joinedElsewhere])
    #expect(board.sessions[Person.ada.session()] == nil)
    _ = board.loseGateway(.a, at: clock[.zero])
    try board.join(Person.ada.description(), clock, as: .resume)
  }

  @Test func `a session of one participant cannot be used by another participant`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(), clock)
    var stolen = Person.grace.description()
    stolen.id = Person.ada.session()
    #expect(throws: VideoTilesError.sessionTaken) { try board.join(stolen, clock) }
  }

  @Test func `a detached session keeps its source for the grace period`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(publishing: .camera(600)), clock)
    try board.join(Person.grace.description(publishing: .camera(600)), clock)
    for person in [Person.ada, .grace] {
      let effects = board.detach(
        person.session(), from: .a, lastHeard: clock[.seconds(1)], at: clock[.seconds(2)])
      #expect(effects.isEmpty)
    }
    #expect(board.nextDeadline == clock[.seconds(6)])
    try board.join(
      Person.ada.description(publishing: .camera(600)), clock, through: .b, as: .resume,
      after: .seconds(4))
    let effects = board.advance(to: clock[.seconds(6)])
    #expect(effects.events.count == 1)
    #expect(board.sources.map(\.publisher.id) == [Person.ada.participant])
    let stale = board.detach(
      Person.ada.session(), from: .a, lastHeard: clock[.zero], at: clock[.seconds(60)])
    #expect(stale.isEmpty)
    #expect(board.sources.count == 1)
  }

  @Test func `the sessions of a lost gateway are kept for the gateway's grace period`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(publishing: .camera(600)), clock)
    #expect(board.loseGateway(.b, at: clock[.zero]).isEmpty)
    #expect(board.loseGateway(.a, at: clock[.seconds(1)]).isEmpty)
    #expect(board.advance(to: clock[.seconds(15)]).isEmpty)
    #expect(!board.advance(to: clock[.seconds(16)]).isEmpty)
    #expect(board.sessions.isEmpty)
    #expect(board.forgettableAt == clock[.seconds(616)])
  }

  @Test func `an ended meeting refuses joins and is forgotten after a minute`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(publishing: .camera(600)), clock)
    let effects = board.end(at: clock[.zero])
    let again = board.end(at: clock[.seconds(1)])
    #expect(effects == [.end] && again.isEmpty)
    #expect(board.sources.isEmpty && board.sessions.isEmpty)
    #expect(throws: VideoTilesError.meetingEnded) {
      try board.join(Person.ada.description(), clock)
    }
    #expect(board.forgettableAt == clock[.seconds(60)])
  }
}
