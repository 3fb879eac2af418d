import MeetingModel
import OwnerTestSupport
import Testing

@testable import VideoTiles

/// Tests of tiles whose frames do not arrive.
@Suite struct TileBoardStallTests {
  let clock = Clock()

  /// Returns a board on which Ada watches Grace with the highest priority and Edsger with the
  /// lowest priority. Grace and Edsger each publish a camera with layers of 150, 600 and 1200
  /// kbit/s.
  private func board() throws -> TileBoard {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(), clock)
    for person in [Person.grace, .edsger] {
      try board.join(
        person.description(publishing: .camera(150, 600, 1_200), isReceiving: false), clock)
    }
    try board.subscribe(.ada, to: [.grace: .highest, .edsger: .lowest])
    return board
  }

  private func report(
    _ kilobits: Int, starved: Set<TileID> = [], stalled: Set<TileID> = []
  ) -> [DownlinkReport] {
    [
      DownlinkReport(
        session: Person.ada.session(), estimate: .kilobits(kilobits), starved: starved,
        stalled: stalled)
    ]
  }

  private func pauseState(_ board: TileBoard, _ tile: UInt32) -> TilePauseState? {
    board.view(of: .numbered(tile), for: Person.ada.session())?.pauseState
  }

  @Test func `a stalled tile counts as paused for a poor connection`() throws {
    var board = try board()
    let stalled = board.reportDownlink(
      report(3_000, stalled: [.numbered(1)]), at: clock[.seconds(1)])
    #expect(pauseState(board, 1) == .pausedForPoorConnection)
    #expect(pauseState(board, 2) == .unpaused)
    #expect(stalled.events(for: .ada).count == 1)
    // The decision does not change: media sends frames again as soon as the link has room.
    #expect(board.layers(of: .ada)[Person.grace.participant] == 3)
    let again = board.reportDownlink(report(3_000), at: clock[.seconds(2)])
    #expect(pauseState(board, 1) == .unpaused)
    #expect(again.events(for: .ada).count == 1)
  }

  @Test func `a tile gains no layer while a tile of higher priority starves`() throws {
    var board = try board()
    _ = board.reportDownlink(report(1_400), at: clock[.seconds(1)])
    #expect(
      board.layers(of: .ada) == [Person.grace.participant: 3, Person.edsger.participant: 1])
    for second in 2...9 {
      _ = board.reportDownlink(
        report(3_000, starved: [.numbered(1)]), at: clock[.seconds(second)])
    }
    #expect(
      board.layers(of: .ada) == [Person.grace.participant: 3, Person.edsger.participant: 1])
    _ = board.reportDownlink(report(3_000), at: clock[.seconds(10)])
    #expect(
      board.layers(of: .ada) == [Person.grace.participant: 3, Person.edsger.participant: 3])
  }

  @Test func `a tile of higher priority gains a layer while a tile of lower priority starves`()
    throws
  {
    var board = try board()
    _ = board.reportDownlink(report(800), at: clock[.seconds(1)])
    #expect(
      board.layers(of: .ada) == [Person.grace.participant: 2, Person.edsger.participant: 1])
    for second in 2...5 {
      _ = board.reportDownlink(
        report(1_400, starved: [.numbered(2)]), at: clock[.seconds(second)])
    }
    #expect(board.layers(of: .ada)[Person.grace.participant] == 3)
  }

  @Test func `a tile pauses when no packets of its source arrive for two seconds`() throws {
    var board = try board()
    let now = clock[.seconds(1)]
    func tracks(_ isFlowing: Bool) -> [SourceLayerReport] {
      (1...3).map {
        SourceLayerReport(
          tile: .numbered(1), layer: $0, isFlowing: isFlowing, bitrate: .kilobits(100))
      }
    }
    // Before the first packet, the board treats no receiver as starved.
    _ = board.reportTracks(tracks(false), at: now)
    #expect(board.nextDeadline == nil)
    _ = board.reportTracks(tracks(true), at: now)
    _ = board.reportTracks(tracks(false), at: now)
    #expect(pauseState(board, 1) == .unpaused)
    #expect(board.nextDeadline == now + board.rules.silence)
    let effects = board.advance(to: now + board.rules.silence)
    #expect(pauseState(board, 1) == .pausedForPoorConnection)
    #expect(effects.events(for: .ada).count == 1)
    #expect(board.nextDeadline == nil)
    _ = board.reportTracks(tracks(true), at: now + .seconds(5))
    #expect(pauseState(board, 1) == .unpaused)
  }

  @Test func `a stalled tile that the user has paused keeps the user's pause`() throws {
    var board = try board()
    _ = try board.setPaused(.numbered(1), of: Person.ada.session(), to: true)
    _ = board.reportDownlink(report(3_000, stalled: [.numbered(1)]), at: clock[.seconds(1)])
    #expect(pauseState(board, 1) == .pausedByUserRequest)
  }
}
