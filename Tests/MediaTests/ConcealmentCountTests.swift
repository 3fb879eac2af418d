import LongComputation
import Testing

@testable import Media

@Suite(.longComputation) struct ConcealmentCountTests {
  /// Returns whether a packet arrives. The first ten packets arrive, and then one packet in twenty
  /// is missing.
  private static let lossy: @Sendable (Int) -> Bool = { $0 < 10 || $0 % 20 != 7 }

  @Test
  func `a listener's count includes the concealed sound of others but not the listener's own`()
    throws
  {
    let room = AudioRoom()
    try room.add(1, .tone(440), arrives: Self.lossy)
    try room.add(2, .tone(600))
    try room.add(3)
    try room.run(420)
    let concealed = try #require(room.statistics(1)).concealed
    #expect((19...21).contains(concealed))
    #expect(room.statistics(1)?.heardConcealed == 0)
    #expect(room.statistics(2)?.heardConcealed == concealed)
    #expect(room.statistics(3)?.heardConcealed == concealed)
  }

  @Test func `a listener's count excludes sound concealed while the listener cannot hear`() throws {
    let room = AudioRoom()
    try room.add(1, .tone(440), arrives: Self.lossy)
    try room.add(2)
    try room.run(200)
    let early = try #require(room.statistics(1)).concealed
    room.audio.setMayHear(SessionSlot(2), false)
    try room.run(200)
    let deaf = try #require(room.statistics(1)).concealed - early
    #expect(room.statistics(2)?.heardConcealed == early)
    room.audio.setMayHear(SessionSlot(2), true)
    try room.add(3)
    try room.run(200)
    let late = try #require(room.statistics(1)).concealed - early - deaf
    #expect(min(early, deaf, late) >= 5)
    #expect(room.statistics(2)?.heardConcealed == early + late)
    #expect(room.statistics(3)?.heardConcealed == late)
  }

  @Test func `a listener's count excludes concealed sound of voices outside the mix`() throws {
    let room = AudioRoom { $0.maxSpeakers = 1 }
    try room.add(1, .tone(440))
    try room.add(2, .tone(600, amplitude: 300), arrives: Self.lossy)
    try room.add(3)
    try room.run(420)
    #expect(try #require(room.statistics(2)).concealed > 10)
    #expect(room.statistics(3)?.heardConcealed == 0)
  }
}
