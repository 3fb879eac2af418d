import MeetingModel
import OwnerTestSupport
import Testing

@testable import VideoTiles

@Suite struct TileBoardReceivingTests {
  let clock = Clock()

  /// Returns a board on which Ada watches and each publisher has a camera with layers of 150, 600
  /// and 1200 kbit/s.
  private func board(
    _ publishers: [Person] = [.grace, .edsger, .barbara],
    _ rules: VideoTilesRules = VideoTilesRules()
  ) throws -> TileBoard {
    var board = TileBoard.settled(clock, rules)
    try board.join(Person.ada.description(), clock)
    for person in publishers {
      try board.join(
        person.description(publishing: .camera(150, 600, 1_200), isReceiving: false), clock)
    }
    return board
  }

  private func layers(_ board: TileBoard) -> [Int?] {
    let layers = board.layers(of: .ada)
    return [Person.grace, .edsger, .barbara].map { layers[$0.participant] }
  }

  @Test func `a receiver without subscriptions gets the oldest cameras and all shares`() throws {
    var board = try board(
      [.grace, .edsger, .barbara], VideoTilesRules(maxVideosWithoutSubscription: 2))
    try board.join(
      Person.grace.content.description(publishing: .content(), isReceiving: false), clock)
    #expect(layers(board) == [3, 3, nil])
    #expect(board.layers(of: .ada).count == 3)
    #expect(board.reason(.ada, gets: .barbara) == .overLimit)
    _ = board.unpublish(.camera, from: Person.grace.session())
    #expect(layers(board) == [nil, 3, 3])
  }

  @Test func `the first subscription call sets the subscriptions, and later calls change them`()
    throws
  {
    var board = try board()
    let effects = try board.subscribe(.ada, to: [.edsger: .high])
    #expect(layers(board) == [nil, 3, nil])
    #expect(board.reason(.ada, gets: .grace) == .notSubscribed)
    #expect(
      effects.events(for: .ada) == [
        .tiles([
          .removed(.numbered(1), Person.grace.participant),
          .removed(.numbered(3), Person.barbara.participant),
        ])
      ])
    try board.subscribe(.ada, to: [.grace: .high])
    #expect(layers(board) == [3, 3, nil])
    try board.subscribe(.ada, to: [:], removing: [.edsger, .barbara])
    #expect(layers(board) == [3, nil, nil])
  }

  @Test func `a first subscription call that names no sources removes all tiles`() throws {
    var board = try board()
    try board.subscribe(.ada, to: [:])
    #expect(board.layers(of: .ada).isEmpty)
  }

  @Test func `a subscription that the same call adds and removes is removed`() throws {
    var board = try board()
    try board.subscribe(.ada, to: [.grace: .high], removing: [.grace])
    #expect(board.layers(of: .ada).isEmpty)
  }

  @Test func `subscriptions to unknown sources and to a receiver's own source are ignored`() throws
  {
    var board = try board()
    try board.publish(.camera(600), by: .ada)
    let wanted = (10...255).map { Person(number: $0) } + [.ada, .grace]
    try board.subscribe(.ada, to: Dictionary(uniqueKeysWithValues: wanted.map { ($0, .highest) }))
    let session = try #require(board.sessions[Person.ada.session()])
    #expect(
      session.subscriptions
        == .chosen([Person.grace.participant: ReceiverVideoSubscription(priority: .highest)])
    )
  }

  @Test func `the end of a source ends the subscriptions to this source`() throws {
    var board = try board()
    try board.subscribe(.ada, to: [.grace: .high, .edsger: .high])
    _ = board.unpublish(.camera, from: Person.grace.session())
    try board.publish(.camera(600), by: .grace)
    #expect(layers(board) == [nil, 3, nil])
    #expect(board.reason(.ada, gets: .grace) == .notSubscribed)
  }

  @Test(arguments: [(320, 180, 1), (321, 180, 2), (180, 320, 1), (640, 360, 2), (4_000, 3_000, 3)])
  func `a receiver gets the lowest layer that covers its target size`(
    width: Int, height: Int, layer: Int
  ) throws {
    var board = try board()
    let target = FrameSize(width: width, height: height)
    _ = try board.updateSubscriptions(
      of: Person.ada.session(),
      adding: [Person.grace.participant: ReceiverVideoSubscription(target: target)],
      removing: [])
    #expect(layers(board) == [layer, nil, nil])
    #expect(board.reason(.ada, gets: .grace) == .wanted)
  }

  @Test func `switching remote video off removes tiles and keeps subscriptions`() throws {
    var board = try board()
    try board.subscribe(.ada, to: [.edsger: .high])
    let off = try board.setRemoteVideo(Person.ada.session(), to: false)
    #expect(
      off.events == [
        .tiles([.removed(.numbered(2), Person.edsger.participant)]), .codecs(.all),
      ])
    #expect(board.layers(of: .ada).isEmpty)
    #expect(try board.setRemoteVideo(Person.ada.session(), to: false).isEmpty)
    _ = try board.setRemoteVideo(Person.ada.session(), to: true)
    #expect(layers(board) == [nil, 3, nil])
  }

  @Test func `a poor link lowers and pauses tiles, and a better link restores the tiles`() throws {
    var board = try board()
    try board.subscribe(.ada, to: [.grace: .highest, .edsger: .high, .barbara: .low])
    board.setLink(of: .ada, to: 2_000, at: clock[.zero])
    #expect(layers(board) == [3, 2, 1])
    #expect(board.reason(.ada, gets: .edsger) == .lowered)
    let paused = board.setLink(of: .ada, to: 1_400, at: clock[.seconds(1)])
    #expect(layers(board) == [3, 1, 0])
    #expect(board.reason(.ada, gets: .barbara) == .pausedForBandwidth)
    let view = ReceiverTile(
      tile: .numbered(3), publisher: Person.barbara.participant,
      pauseState: .pausedForPoorConnection)
    #expect(paused.events == [.tiles([.shows(view)])])
    #expect(board.setLink(of: .ada, to: 9_000, at: clock[.seconds(2)]).isEmpty)
    #expect(board.nextDeadline == clock[.milliseconds(2_400)])
    let back = board.advance(to: clock[.seconds(4)])
    #expect(layers(board) == [3, 3, 3])
    #expect(back.events.count == 1)
  }

  @Test func `a change that affects only the layer of a tile is reported only to media`() throws {
    var board = try board()
    let effects = board.setLink(of: .ada, to: 3_000, at: clock[.zero])
    #expect(effects.events.isEmpty)
    #expect(effects.forwarding?.receivers.map(\.session) == [Person.ada.session()])
    #expect(effects.forwarding?.receivers.first?.downlink == .kilobits(3_000))
  }

  @Test func `a pause by the user takes precedence over a pause for lack of bandwidth`() throws {
    var board = try board()
    board.setLink(of: .ada, to: 300, at: clock[.zero])
    #expect(board.reason(.ada, gets: .barbara) == .pausedForBandwidth)
    let session = Person.ada.session()
    let (paused, effects) = try board.setPaused(.numbered(3), of: session, to: true)
    #expect(paused.pauseState == .pausedByUserRequest)
    #expect(effects.events == [.tiles([.shows(paused)])])
    board.setLink(of: .ada, to: 100, at: clock[.seconds(1)])
    #expect(board.reason(.ada, gets: .barbara) == .pausedByUser)
    let (resumed, _) = try board.setPaused(.numbered(3), of: session, to: false)
    #expect(resumed.pauseState == .pausedForPoorConnection)
  }

  @Test func `a tile that the user pauses frees its bandwidth for other tiles`() throws {
    var board = try board()
    board.setLink(of: .ada, to: 300, at: clock[.zero])
    #expect(layers(board) == [1, 1, 0])
    _ = try board.setPaused(.numbered(1), of: Person.ada.session(), to: true)
    #expect(layers(board) == [0, 1, 1])
    _ = try board.setPaused(.numbered(1), of: Person.ada.session(), to: false)
    #expect(layers(board) == [1, 1, 0])
  }

  @Test func `a user's pause ends when the paused tile is removed`() throws {
    var board = try board()
    _ = try board.setPaused(.numbered(1), of: Person.ada.session(), to: true)
    try board.subscribe(.ada, to: [:])
    try board.subscribe(.ada, to: [.grace: .high])
    #expect(board.reason(.ada, gets: .grace) == .wanted)
  }

  @Test func `unknown tiles and a publisher's own tile cannot be paused`() throws {
    var board = try board()
    let own = try board.publish(.camera(600), by: .ada)
    let session = Person.ada.session()
    #expect(throws: VideoTilesError.ownTile) {
      try board.setPaused(own, of: session, to: true)
    }
    #expect(throws: VideoTilesError.unknownTile) {
      try board.setPaused(.numbered(99), of: session, to: true)
    }
    try board.subscribe(.ada, to: [.grace: .high])
    #expect(throws: VideoTilesError.unknownTile) {
      try board.setPaused(.numbered(2), of: session, to: true)
    }
    _ = board.leave(session, at: clock[.zero])
    #expect(throws: VideoTilesError.unknownSession) {
      try board.setPaused(.numbered(1), of: session, to: true)
    }
    #expect(throws: VideoTilesError.unknownSession) { try board.subscribe(.ada, to: [:]) }
    #expect(throws: VideoTilesError.unknownSession) { try board.setRemoteVideo(session, to: true) }
  }

  // MARK: Flowing layers

  private func report(_ layer: Int, _ isFlowing: Bool, kilobits: Int = 100) -> SourceLayerReport {
    SourceLayerReport(
      tile: .numbered(1), layer: layer, isFlowing: isFlowing, bitrate: .kilobits(kilobits))
  }

  @Test func `a receiver gets only layers whose packets arrive`() throws {
    var board = try board()
    _ = board.reportTracks([report(3, false)], at: clock[.zero])
    #expect(layers(board) == [2, 3, 3])
    #expect(board.reason(.ada, gets: .grace) == .wanted)
    _ = board.reportTracks([report(1, false), report(2, false)], at: clock[.zero])
    #expect(layers(board) == [0, 3, 3])
    #expect(board.reason(.ada, gets: .grace) == .notFlowing)
    _ = board.reportTracks([report(3, true)], at: clock[.zero])
    #expect(layers(board) == [3, 3, 3])
  }

  @Test func `a tile is not paused immediately when the packets of its source stop`() throws {
    var board = try board()
    let effects = board.reportTracks((1...3).map { report($0, false) }, at: clock[.zero])
    #expect(effects.events.isEmpty)
    #expect(effects.forwarding?.receivers.count == 1)
  }

  @Test func `a higher layer replaces a wanted layer whose packets do not arrive`() throws {
    var board = try board()
    let target = FrameSize(width: 320, height: 180)
    _ = try board.updateSubscriptions(
      of: Person.ada.session(),
      adding: [Person.grace.participant: ReceiverVideoSubscription(target: target)],
      removing: [])
    _ = board.reportTracks([report(1, false)], at: clock[.zero])
    #expect(layers(board) == [2, nil, nil])
  }

  @Test func `for ten seconds, a layer above its declared bitrate counts at its measured bitrate`()
    throws
  {
    var board = try board([.grace])
    board.setLink(of: .ada, to: 1_300, at: clock[.zero])
    #expect(layers(board)[0] == 3)
    _ = board.reportTracks([report(3, true, kilobits: 1_301)], at: clock[.seconds(1)])
    #expect(layers(board)[0] == 2)
    _ = board.reportTracks([report(3, true, kilobits: 1_100)], at: clock[.seconds(2)])
    #expect(layers(board)[0] == 2)
    _ = board.reportTracks([report(3, true, kilobits: 1_100)], at: clock[.seconds(11)])
    #expect(layers(board)[0] == 3)
  }

  @Test func `reports about unknown tiles, layers and sessions are ignored`() throws {
    var board = try board()
    let reports = [
      SourceLayerReport(tile: .numbered(9), layer: 1, isFlowing: false, bitrate: .zero),
      report(0, false),
      report(4, false), report(.max, false),
    ]
    #expect(board.reportTracks(reports, at: clock[.zero]).isEmpty)
    #expect(board.setLink(of: Person(number: 99), to: 0, at: clock[.zero]).isEmpty)
  }
}
