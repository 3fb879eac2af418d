import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import VideoTiles

@Suite struct TileBoardCodecTests {
  let clock = Clock()

  private func camera(_ codec: VideoCodec) throws -> SourceDeclaration {
    try SourceDeclaration(kind: .camera, layers: [SourceDeclaration.layer(codec: codec)])
  }

  private func codecs(_ effects: [TileEffect]) -> [[VideoCodec]] {
    effects.events.compactMap { if case .codecs(let set) = $0 { set.codecs } else { nil } }
  }

  private func paused(_ effects: [TileEffect], for person: Person) -> [TilePauseState] {
    effects.events(for: person).flatMap { event in
      guard case .tiles(let changes) = event else { return [TilePauseState]() }
      return changes.compactMap { if case .shows(let view) = $0 { view.pauseState } else { nil } }
    }
  }

  @Test func `a meeting without receivers allows all codecs`() throws {
    var board = TileBoard.settled(clock)
    #expect(board.codecs == .all)
    let effects = try board.join(Person.ada.description(isReceiving: false), clock)
    #expect(codecs(effects).isEmpty && board.codecs == .all)
  }

  @Test func `the codecs of a meeting are the codecs that all receivers decode`() throws {
    var board = TileBoard.settled(clock)
    let all: [VideoCodec] = [.vp8, .h264, .vp9, .av1]
    try board.join(Person.ada.description(decoding: [.vp9, .vp8]), clock)
    #expect(board.codecs.codecs == [.vp8, .vp9])
    let second = try board.join(Person.grace.description(), clock)
    #expect(codecs(second) == [[.vp8]])
    let third = try board.join(Person.edsger.description(), clock)
    #expect(codecs(third).isEmpty)
    #expect(codecs(board.leave(Person.grace.session(), at: clock[.zero])).isEmpty)
    let off = try board.setRemoteVideo(Person.edsger.session(), to: false)
    #expect(codecs(off) == [[.vp8, .vp9]])
    let other = try board.setRemoteVideo(
      Person.ada.session(), to: true, decoding: VideoCodecSet(all))
    #expect(codecs(other) == [all])
  }

  @Test
  func `an attendee that may not receive video does not limit the codecs of the meeting`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(capabilities: .sending), clock)
    #expect(board.codecs == .all)
    let effects = board.setCapabilities(Person.ada.attendee, to: .all, at: clock[.zero])
    #expect(codecs(effects) == [[.vp8, .h264]])
  }

  @Test func `a receiver that cannot decode a source has a paused tile and gets no layer`() throws {
    var board = TileBoard.settled(clock)
    try board.join(Person.ada.description(), clock)
    try board.join(Person.grace.description(decoding: [.vp8, .h264, .vp9]), clock)
    try board.join(Person.edsger.description(isReceiving: false), clock)
    let effects = try board.publish(camera(.vp9), from: Person.edsger.session()).effects
    #expect(paused(effects, for: .ada) == [.pausedForPoorConnection])
    #expect(paused(effects, for: .grace) == [.unpaused])
    #expect(board.reason(.ada, gets: .edsger) == .cannotDecode)
    #expect(board.layers(of: .ada) == [Person.edsger.participant: 0])
    #expect(board.layers(of: .grace) == [Person.edsger.participant: 1])
    let change = try board.publish(camera(.vp8), from: Person.edsger.session()).effects
    #expect(paused(change, for: .ada) == [.unpaused])
    #expect(change.forwarding?.sources.count == 1 && change.forwarding?.receivers.count == 1)
    #expect(board.layers(of: .ada) == [Person.edsger.participant: 1])
  }

  @Test func `after a restart, the first snapshot contains the codecs of the meeting`() throws {
    var board = TileBoard.recovering(clock)
    try board.join(Person.ada.description(), clock, as: .announcement)
    let effects = board.endRecovery(at: clock[.zero])
    #expect(codecs(effects).isEmpty && board.codecs.codecs == [.vp8, .h264])
  }

  @Test func `only VP8 and VP9 have temporal layers`() throws {
    for (codec, most) in [(.vp8, 4), (.h264, 1), (.vp9, 8), (.av1, 1)] as [(VideoCodec, Int)] {
      func layer(_ count: Int) throws(VideoTilesError) -> SimulcastLayer {
        try SimulcastLayer(
          ssrc: nil, size: FrameSize(width: 640, height: 360), framesPerSecond: 15,
          bitrate: .kilobits(600), codec: codec, temporalLayers: count)
      }
      #expect(try layer(most).temporalLayers == most)
      #expect(throws: VideoTilesError.self) { try layer(most + 1) }
    }
  }
}
