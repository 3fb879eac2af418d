import Testing

@testable import Media

@Suite struct FormerTracksTests {
  private static func position(at number: Int64) -> TrackPosition {
    var position = TrackPosition()
    position.count(payloadBytes: 100)
    position.number = number
    return position
  }

  @Test func `the table returns a former track once, with the track's last position`() {
    var former = FormerTracks()
    former.note(Self.position(at: 20_000), of: 7)
    former.note(Self.position(at: 20_005), of: 7)
    #expect(former.take(7)?.number == 20_005)
    #expect(former.take(7)?.number == nil)
  }

  @Test func `the table keeps no track that the receiver never received`() {
    var former = FormerTracks()
    var position = TrackPosition()
    former.note(position, of: 7)
    #expect(former.take(7)?.number == nil)
    position.wasLeft = true
    former.note(position, of: 7)
    #expect(former.take(7)?.isUntouched == false)
  }

  @Test func `a full table forgets the tracks that ended first`() {
    var former = FormerTracks()
    for track in 0..<UInt32(FormerTracks.capacity) {
      former.note(Self.position(at: Int64(track)), of: track)
    }
    // Track 0 returns and ends again, after all other tracks.
    former.note(Self.position(at: 9_000), of: 0)
    for track in 5_000..<5_010 as Range<UInt32> {
      former.note(Self.position(at: 1), of: track)
    }
    #expect((1...10).allSatisfy { former.take($0)?.number == nil })
    #expect(former.take(0)?.number == 9_000)
    #expect(former.take(11)?.number == 11)
  }
}
