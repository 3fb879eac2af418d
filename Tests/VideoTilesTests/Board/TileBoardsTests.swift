import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import VideoTiles

@Suite struct TileBoardsTests {
  let clock = Clock()

  private func boards(_ rules: VideoTilesRules = VideoTilesRules()) -> TileBoards {
    TileBoards(rules: rules, term: 1, seed: 1, at: clock[.zero])
  }

  private func settled() -> TileBoards {
    var boards = boards()
    boards.expect([], at: clock[.zero])
    return boards
  }

  private func join(
    _ boards: inout TileBoards, _ session: AnnouncedSession, in meeting: MeetingID = .planning,
    through gateway: GatewayName = .a, run: UInt64 = 1, as arrival: SessionArrival = .start,
    after elapsed: Duration = .zero
  ) throws {
    try boards.join(
      session, in: meeting, through: gateway, run: run, as: arrival, at: clock[elapsed])
  }

  @Test func `recovery ends when all live gateways have announced their sessions`() throws {
    var boards = boards()
    boards.expect([.a, .b], at: clock[.zero])
    let isAsked = boards.gatewayIsAlive(.a, run: 1, at: clock[.zero])
    #expect(isAsked)
    let ada = Person.ada.description(publishing: .camera(600))
    _ = boards.announce(
      .init(of: [(.planning, ada)], by: .a, run: 1, isLast: false), at: clock[.zero])
    _ = boards.announce(.init(of: [], by: .a, run: 1, isLast: true), at: clock[.zero])
    #expect(boards.isRecovering)
    let grace = Person.grace.description()
    _ = boards.announce(
      .init(of: [(.planning, grace)], by: .b, run: 1, isLast: true), at: clock[.zero])
    #expect(!boards.isRecovering)
    let isStillAsked = boards.gatewayIsAlive(.a, run: 1, at: clock[.zero])
    #expect(!isStillAsked)
    #expect(boards.board(of: .planning)?.layers(of: .grace).count == 1)
    #expect(boards.takeEffects().isEmpty)
    #expect(boards.sourceCount(of: .camera) == 1)
    #expect(boards.receiverCount == 2)
  }

  @Test func `recovery ends after its time limit`() throws {
    var boards = boards()
    boards.expect([.a], at: clock[.zero])
    #expect(boards.nextDeadline == clock[.seconds(15)])
    boards.advance(to: clock[.seconds(15)])
    #expect(!boards.isRecovering)
  }

  @Test func `a decision on tiles fails during recovery and can be repeated afterwards`() {
    var boards = boards()
    #expect(throws: VideoTilesError.recovering) {
      try boards.decide(in: .planning, at: clock[.zero]) { _ in ((), []) }
    }
    boards.expect([], at: clock[.zero])
    #expect(throws: VideoTilesError.unknownSession) {
      try boards.decide(in: .planning, at: clock[.zero]) { _ in ((), []) }
    }
  }

  @Test func `a gateway's restart orphans the gateway's former sessions`() throws {
    var boards = settled()
    try join(&boards, Person.ada.description(publishing: .camera(600)))
    _ = boards.takeEffects()
    let isAsked = boards.gatewayIsAlive(.a, run: 2, at: clock[.seconds(1)])
    #expect(isAsked)
    boards.advance(to: clock[.seconds(3)])
    #expect(boards.takeEffects().isEmpty)
    boards.advance(to: clock[.seconds(16)])
    #expect(boards.takeEffects().count == 3)
    #expect(boards.gatewayCount == 0)
  }

  @Test func `a silent gateway loses its sessions after the grace period`() throws {
    var boards = settled()
    try join(&boards, Person.ada.description(publishing: .camera(600)))
    #expect(boards.nextDeadline == clock[.seconds(3)])
    boards.advance(to: clock[.seconds(3)])
    #expect(boards.nextDeadline == clock[.seconds(18)])
    boards.advance(to: clock[.seconds(18)])
    #expect(boards.receiverCount == 0)
  }

  @Test func `the board of a meeting shows no sources of another meeting`() throws {
    var boards = settled()
    try join(&boards, Person.ada.description(publishing: .camera(600)))
    try join(&boards, Person.grace.description(), in: .review)
    #expect(boards.board(of: .review)?.layers(of: .grace) == [:])
  }

  @Test func `an empty meeting is forgotten after ten minutes`() throws {
    var boards = settled()
    boards.open(.planning, at: clock[.zero])
    boards.advance(to: clock[.seconds(600)])
    #expect(boards.takeEffects() == [.forget(.planning)])
    #expect(boards.meetingCount == 0)
    #expect(boards.nextDeadline == nil)
  }

  @Test func `the end of a meeting is reported once`() throws {
    var boards = settled()
    try join(&boards, Person.ada.description())
    _ = boards.takeEffects()
    boards.endMeeting(.planning, at: clock[.zero])
    boards.endMeeting(.planning, at: clock[.zero])
    #expect(boards.takeEffects() == [.decided(.end, in: .planning)])
    #expect(boards.board(of: .planning) != nil && boards.meetingCount == 0)
    #expect(throws: VideoTilesError.meetingEnded) {
      try join(&boards, Person.grace.description())
    }
    boards.advance(to: clock[.seconds(60)])
    #expect(boards.takeEffects() == [.forget(.planning)])
  }

  @Test func `a stall of video-tiles extends the grace period of detached clients`() throws {
    var boards = settled()
    try join(&boards, Person.ada.description(publishing: .camera(600)))
    boards.detach(
      Person.ada.session(), in: .planning, from: .a, silentFor: .zero, at: clock[.seconds(1)])
    boards.excuseSilence(of: .seconds(20))
    boards.advance(to: clock[.seconds(25.9)])
    #expect(boards.sourceCount(of: .camera) == 1)
    boards.advance(to: clock[.seconds(26)])
    #expect(boards.sourceCount(of: .camera) == 0)
  }

  @Test func `a stall of the gateway does not end a client's video`() throws {
    var boards = settled()
    try join(&boards, Person.ada.description(publishing: .camera(600)))
    boards.detach(
      Person.ada.session(), in: .planning, from: .a, silentFor: .seconds(10),
      at: clock[.seconds(10)])
    #expect(boards.sourceCount(of: .camera) == 1)
  }
}
