import ClientTestSupport
import Testing
import Wire

@testable import CarillonClientCore

/// Tests of `ClientTileState`, which applies snapshots and events to the video state of one
/// session.
struct ClientTileStateTests {
  private var board = ClientTileState(of: "ada")

  @Test mutating func `a source missing from a new epoch's snapshot has time to return`() {
    _ = board.apply(.board(.of("bob", 1), .of("cy", 2), tiles: [.bob(1)]))
    let change = board.apply(.board(.of("cy", 2), epoch: 2))
    #expect(change.hasMissing)
    #expect(change.gone == [] && change.come == [] && change.tiles == [])
    let back = board.apply(V1.VideoSourcesChanged(available: [.of("bob", 1)]))
    #expect(back.gone == [] && back.come == [])
    let none = board.confirmMissing()
    #expect(none.gone == [] && none.tiles == [])
  }

  @Test mutating func `a source that does not return in a new epoch is removed with its tile`() {
    _ = board.apply(.board(.of("bob", 1), .of("cy", 2), tiles: [.bob(1)]))
    _ = board.apply(.board(.of("cy", 2), epoch: 2))
    let change = board.confirmMissing()
    #expect(change.gone == ["bob"] && change.tiles == [.ended(tileId: 1)])
  }

  @Test mutating func `a source missing from a same-epoch snapshot is removed immediately`() {
    _ = board.apply(.board(.of("bob", 1), tiles: [.bob(1)]))
    let change = board.apply(.board(sequence: 5))
    #expect(change.gone == ["bob"] && change.tiles == [.ended(tileId: 1)])
    #expect(!change.hasMissing)
  }

  @Test(arguments: [UInt64(1), 2])
  func `a source that gets a new tile id counts as another source`(epoch: UInt64) {
    var board = ClientTileState(of: "ada")
    _ = board.apply(.board(.of("bob", 1), tiles: [.bob(1)]))
    let change = board.apply(.board(.of("bob", 5), tiles: [.bob(5)], epoch: epoch))
    #expect(change.gone == ["bob"] && change.come == ["bob"])
    #expect(
      change.tiles == [
        .ended(tileId: 1), .shown(tileId: 5, attendeeId: "bob", .unpaused),
      ])
  }

  @Test mutating func `a tile that is missing from a snapshot is removed`() {
    _ = board.apply(.board(.of("bob", 1), .of("cy", 2), tiles: [.bob(1)]))
    let change = board.apply(.board(.of("bob", 1), .of("cy", 2), sequence: 4))
    #expect(change.tiles == [.ended(tileId: 1)] && change.gone == [])
  }

  @Test mutating func `impossible sources, tiles and states are ignored`() {
    let change = board.apply(
      V1.TileBoardSnapshot(
        sources: [V1.VideoSource(tileID: 1), .of("ada", 2), .of("ada#content", 3)],
        receivers: [.init(participantID: "bob", tiles: [.bob(1)])]))
    #expect(change.come == [] && change.tiles == [] && change.camera == nil)
    let ended = board.apply(V1.VideoSourcesChanged(unavailable: [.of("bob", 9), .init()]))
    #expect(ended.gone == [] && ended.tiles == [])
    let tiles = board.apply(
      V1.TilesChanged(tiles: [
        .removed(4), V1.TileState(tileID: 2, participantID: "ada"),
        V1.TileState(tileID: .max, participantID: "bob", pauseState: .unrecognized(77)),
      ]))
    #expect(
      tiles.tiles == [.shown(tileId: Int(UInt32.max), attendeeId: "bob", .unpaused)])
  }
}
