import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import VideoTiles

@Suite struct TileBoardRecoveryTests {
  let clock = Clock()

  @Test func `sources keep their tiles and SSRCs when video-tiles restarts`() throws {
    var old = TileBoard.settled(clock)
    try old.join(Person.ada.description(publishing: .camera(150, 600)), clock)
    let source = try #require(old.sources.first)
    var new = TileBoard.recovering(clock)
    let declared = try SourceDeclaration(
      kind: .camera, layers: source.layers, tile: source.tile, track: source.track)
    let effects = new.announce(
      [Person.grace.description(), Person.ada.description(publishing: declared)], through: .a,
      at: clock[.zero]
    ).effects
    #expect(effects.isEmpty)
    #expect(new.endRecovery(at: clock[.zero]).isEmpty)
    #expect(new.sources == [source])
    #expect(new.layers(of: .grace) == [Person.ada.participant: 2])
    let another = try new.publish(.camera(600), by: .grace)
    #expect(another.number == 1 << 16 + 1)
  }

  @Test func `announced subscriptions and pauses apply to sources announced later`() throws {
    var board = TileBoard.recovering(clock)
    _ = board.announce(
      [
        Person.ada.description(
          subscriptions: .chosen([
            Person.grace.participant: ReceiverVideoSubscription(),
            Person.edsger.participant: ReceiverVideoSubscription(),
          ]), paused: [.numbered(1), .numbered(9)])
      ], through: .a, at: clock[.zero])
    _ = board.announce(
      [Person.grace.description(publishing: .camera(600, tile: .numbered(1)))], through: .b,
      at: clock[.zero])
    _ = board.endRecovery(at: clock[.zero])
    #expect(board.reason(.ada, gets: .grace) == .pausedByUser)
    let session = try #require(board.sessions[Person.ada.session()])
    #expect(session.pausedTiles == [.numbered(1)])
    #expect(
      session.subscriptions == .chosen([Person.grace.participant: ReceiverVideoSubscription()]))
  }

  @Test func `announced sources may exceed the limits, but new sources are refused`() throws {
    var board = TileBoard.recovering(clock, VideoTilesRules(maxCameras: 1, maxContentShares: 0))
    _ = board.announce(
      [Person.ada, .grace].map { $0.description(publishing: .camera(600)) }
        + [Person.ada.content.description(publishing: .content())],
      through: .a, at: clock[.zero])
    try board.join(Person.edsger.description(publishing: .camera(600)), clock, as: .resume)
    #expect(throws: VideoTilesError.recovering) {
      try board.join(Person.barbara.description(), clock)
    }
    _ = board.endRecovery(at: clock[.zero])
    #expect(board.sources.count == 4)
    try board.join(Person.barbara.description(), clock)
    #expect(throws: VideoTilesError.camerasFull(limit: 1)) {
      try board.publish(.camera(600), by: .barbara)
    }
  }

  @Test func `two sources that claim the same tile get different tiles`() throws {
    var board = TileBoard.recovering(clock)
    _ = board.announce(
      [Person.ada, .grace].map {
        $0.description(publishing: .camera(600, tile: .numbered(5), track: SSRC(50)))
      }, through: .a, at: clock[.zero])
    #expect(board.sources.first?.tile == .numbered(5))
    #expect(Set(board.sources.map(\.tile)).count == 2)
    #expect(Set(board.sources.map(\.track)).count == 2)
  }

  @Test func `the refusal of an announced source is published when recovery ends`() throws {
    var board = TileBoard.recovering(clock)
    let effects = board.announce(
      [Person.ada.description(publishing: .camera(600), place: .replica)], through: .a,
      at: clock[.zero]
    ).effects
    #expect(effects.isEmpty)
    #expect(
      board.endRecovery(at: clock[.zero]).events
        == [.publishedEnded(nil, .camera, VideoTilesError.inReplica.status)])
  }

  @Test func `no session times out during recovery`() throws {
    var board = TileBoard.recovering(clock)
    _ = board.announce(
      [Person.ada.description(publishing: .camera(600))], through: .a, at: clock[.zero])
    _ = board.detach(
      Person.ada.session(), from: .a, lastHeard: clock[.zero], at: clock[.seconds(9)])
    #expect(board.nextDeadline == nil)
    #expect(board.sources.count == 1)
    _ = board.endRecovery(at: clock[.seconds(10)])
    #expect(board.sources.isEmpty)
  }

  @Test func `a tile ID is not reused within a term`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(publishing: .camera(600)), clock)
    try board.join(Person.ada.description(), clock, as: .resume)
    try board.join(
      Person.ada.description(publishing: .camera(600, tile: .numbered(1))), clock, as: .resume)
    #expect(board.sources.map(\.tile) == [.numbered(2)])
    try board.join(
      Person.grace.description(publishing: .camera(600, tile: .numbered(40))), clock)
    #expect(board.sources.map(\.tile) == [.numbered(2), .numbered(3)])
  }

  @Test func `a source that a session publishes after it came back keeps its tile id`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(publishing: .camera(600)), clock)
    try board.join(Person.grace.description(publishing: .camera(600)), clock)
    // A browser joins again, and declares its camera later.
    for session in [UInt8(0), 1] {
      try board.join(
        Person.ada.description(session), clock, as: session == 0 ? .resume : .start)
      #expect(board.sources.map(\.tile) == [.numbered(2)])
      _ = try board.publish(.camera(600), from: Person.ada.session(session))
      #expect(board.sources.map(\.tile) == [.numbered(1), .numbered(2)])
    }
    // A camera that its user turned off and on is a new source.
    _ = board.unpublish(.camera, from: Person.ada.session(1))
    _ = try board.publish(.camera(600), from: Person.ada.session(1))
    #expect(board.sources.map(\.tile) == [.numbered(2), .numbered(3)])
    // The memory of a tile id ends with the session.
    try board.join(Person.ada.description(1), clock, as: .resume)
    _ = board.leave(Person.ada.session(1), at: clock[.zero])
    try board.join(Person.ada.description(2), clock)
    _ = try board.publish(.camera(600), from: Person.ada.session(2))
    #expect(board.sources.map(\.tile) == [.numbered(2), .numbered(4)])
  }
}
