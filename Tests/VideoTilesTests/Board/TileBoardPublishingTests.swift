import MeetingModel
import OwnerTestSupport
import Testing

@testable import VideoTiles

@Suite struct TileBoardPublishingTests {
  let clock = Clock()

  @Test func `all participants see a new source, but only receivers get its tile`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(), clock)
    try board.join(Person.grace.description(), clock)
    try board.join(Person.edsger.description(isReceiving: false), clock)
    let (source, effects) = try board.publish(.camera(150, 600), from: Person.ada.session())
    #expect(source.publisher == Person.ada.identity)
    let view = ReceiverTile(
      tile: source.tile, publisher: Person.ada.participant, pauseState: .unpaused, layer: 2,
      size: FrameSize(width: 640, height: 360))
    #expect(
      effects.dropLast() == [
        .publish(.sources(available: [source], unavailable: []), for: []),
        .publish(.tiles([.shows(view)]), for: [Person.grace.participant]),
      ])
    #expect(board.sources == [source])
    #expect(board.layers(of: .ada).isEmpty)
    #expect(board.layers(of: .grace) == [Person.ada.participant: 2])
    #expect(board.reason(.edsger, gets: .ada) == .receivingOff)
  }

  @Test func `each source gets a unique tile number and unique SSRCs`() throws {
    var board = TileBoard.settled(clock)
    for person in [Person.ada, .grace] { try board.join(person.description(), clock) }
    let camera = SourceDeclaration.camera(150, 600, 1_200)
    let first = try board.publish(camera, from: Person.ada.session()).source
    let second = try board.publish(camera, from: Person.grace.session()).source
    #expect(first.tile.number == 1)
    #expect(second.tile.number == 2)
    let ssrcs = [first, second].flatMap { $0.layers.compactMap(\.ssrc) + [$0.track] }
    #expect(Set(ssrcs).count == 8)
  }

  @Test func `the SSRC that a publisher declares is kept if no other source uses this SSRC`() throws
  {
    var board = TileBoard.settled(clock)
    for person in [Person.ada, .grace] { try board.join(person.description(), clock) }
    let source = try SourceDeclaration(kind: .camera, layers: [SourceDeclaration.layer(ssrc: 77)])
    let first = try board.publish(source, from: Person.ada.session()).source
    let second = try board.publish(source, from: Person.grace.session()).source
    #expect(first.layers[0].ssrc == SSRC(77))
    #expect(second.layers[0].ssrc != SSRC(77))
    _ = board.unpublish(.camera, from: Person.ada.session())
    _ = board.unpublish(.camera, from: Person.grace.session())
    #expect(
      try board.publish(source, from: Person.grace.session()).source.layers[0].ssrc == SSRC(77))
  }

  @Test func `a source that is published again is updated and keeps its tile`() throws {
    var board = TileBoard.settled(clock)
    for person in [Person.ada, .grace] { try board.join(person.description(), clock) }
    let before = try board.publish(.camera(150, 600), from: Person.ada.session()).source
    let (after, effects) = try board.publish(
      .camera(150, 600, 1_200), from: Person.ada.session())
    #expect(after.tile == before.tile)
    #expect(after.track == before.track)
    #expect(after.layers.prefix(2).map(\.ssrc) == before.layers.map(\.ssrc))
    #expect(effects.events == [.sources(available: [after], unavailable: [])])
    #expect(board.layers(of: .grace) == [Person.ada.participant: 3])
    #expect(try board.publish(.camera(150, 600, 1_200), from: Person.ada.session()).effects.isEmpty)
  }

  @Test func `the end of a source removes its tile`() throws {
    var board = TileBoard.settled(clock)
    for person in [Person.ada, .grace] { try board.join(person.description(), clock) }
    let source = try board.publish(.camera(600), from: Person.ada.session()).source
    let effects = board.unpublish(.camera, from: Person.ada.session())
    #expect(effects.events == [.sources(available: [], unavailable: [source])])
    #expect(effects.forwarding?.endedTiles == [source.tile])
    #expect(board.unpublish(.camera, from: Person.ada.session()).isEmpty)
    #expect(try board.publish(.camera(600), by: .ada) != source.tile)
  }

  @Test func `when the meeting's camera limit is reached, further attendees may only watch`() throws
  {
    var board = TileBoard.settled(clock, VideoTilesRules(maxCameras: 2))
    for person in [Person.ada, .grace, .edsger] { try board.join(person.description(), clock) }
    try board.publish(.camera(600), by: .ada)
    let full = try board.publish(.camera(600), from: Person.grace.session()).effects
    #expect(full.events(for: .edsger).last == .camera(.viewOnly))
    #expect(!full.events(for: .ada).contains(.camera(.viewOnly)))
    let error = #expect(throws: VideoTilesError.camerasFull(limit: 2)) {
      try board.publish(.camera(600), by: .edsger)
    }
    #expect(error?.status.code == .resourceExhausted)
    #expect(error?.status.sessionStatus == .videoAtCapacityViewOnly)
    #expect(board.layers(of: .edsger).count == 2)
    let room = board.leave(Person.ada.session(), at: clock[.zero])
    #expect(room.events(for: .edsger).last == .camera(.available))
    try board.publish(.camera(600), by: .edsger)
  }

  @Test func `content shares have their own limit, separate from the camera limit`() throws {
    var board = TileBoard.settled(clock, VideoTilesRules(maxCameras: 1))
    for person in [Person.ada, .grace, .edsger] { try board.join(person.description(), clock) }
    try board.publish(.camera(600), by: .ada)
    for person in [Person.ada, .grace] {
      try board.join(person.content.description(isReceiving: false), clock)
      try board.publish(.content(), by: person.content)
    }
    #expect(throws: VideoTilesError.sharesFull(limit: 2)) {
      try board.join(Person.edsger.content.description(), clock)
    }
    #expect(board.layers(of: .edsger).count == 3)
    #expect(Set(board.layers(of: .ada).keys) == [Person.grace.content.participant])
    _ = board.leave(Person.ada.content.session(), at: clock[.zero])
    try board.join(Person.edsger.content.description(), clock)
  }

  @Test func `an attendee has at most one content share`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.content.description(), clock)
    #expect(throws: VideoTilesError.shareTaken) {
      try board.join(Person.ada.content.description(1), clock)
    }
    _ = board.detach(
      Person.ada.content.session(), from: nil, lastHeard: clock[.zero], at: clock[.zero])
    try board.join(Person.ada.content.description(1), clock)
    #expect(board.sessions.count == 1)
  }

  @Test func `cameras and content are published from separate sessions`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(), clock)
    try board.join(Person.ada.content.description(), clock)
    #expect(throws: VideoTilesError.wrongKind) { try board.publish(.content(), by: .ada) }
    #expect(throws: VideoTilesError.wrongKind) {
      try board.publish(.camera(600), by: Person.ada.content)
    }
    #expect(throws: VideoTilesError.unknownSession) { try board.publish(.camera(600), by: .grace) }
  }

  @Test func `an attendee without the send capability cannot publish`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(capabilities: .watching), clock)
    #expect(throws: VideoTilesError.mayNotSend(.camera)) {
      try board.publish(.camera(600), by: .ada)
    }
    #expect(throws: VideoTilesError.mayNotSend(.content)) {
      try board.join(Person.ada.content.description(capabilities: .watching), clock)
    }
    #expect(board.tiles().map(\.camera) == [.notAllowed])
  }

  @Test func `reduced capabilities end the attendee's source and tiles`() throws {
    var board = TileBoard.settled(clock)
    for person in [Person.ada, .grace] { try board.join(person.description(), clock) }
    let tile = try board.publish(.camera(600), by: .ada)
    let source = try #require(board.source(tile))
    let status = VideoTilesError.mayNotSend(.camera).status
    let cut = board.setCapabilities(Person.ada.attendee, to: .watching, at: clock[.zero])
    #expect(
      cut.events(for: .ada) == [
        .sources(available: [], unavailable: [source]), .camera(.notAllowed),
        .publishedEnded(tile, .camera, status),
      ])
    #expect(throws: VideoTilesError.mayNotSend(.camera)) {
      try board.publish(.camera(600), by: .ada)
    }
    try board.publish(.camera(600), by: .grace)
    #expect(board.layers(of: .ada).count == 1)
    let blind = board.setCapabilities(Person.ada.attendee, to: .sending, at: clock[.zero])
    #expect(
      blind.events(for: .ada) == [
        .tiles([.removed(.numbered(2), Person.grace.participant)]), .camera(.available),
      ])
    #expect(board.reason(.ada, gets: .grace) == .receivingOff)
  }

  @Test func `for ten seconds, new capabilities override the capabilities of a join`() throws {
    var board = TileBoard.settled(clock)
    _ = board.setCapabilities(Person.ada.attendee, to: .watching, at: clock[.zero])
    let effects = try board.join(
      Person.ada.description(publishing: .camera(600)), clock, after: .seconds(1))
    let status = VideoTilesError.mayNotSend(.camera).status
    #expect(effects.events == [.codecs(.undeclared), .publishedEnded(nil, .camera, status)])
    #expect(board.sources.isEmpty)
    try board.join(Person.ada.description(publishing: .camera(600)), clock, after: .seconds(11))
    #expect(board.sources.count == 1)
  }
}
