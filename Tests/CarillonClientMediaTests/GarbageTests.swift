import RTP
import TestSupport
import Testing
import Trials

@testable import CarillonClientCore
@testable import CarillonClientMedia

/// Tests of real streams in which some packets contain neither sound nor pictures.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct GarbageTests {
  private static let pattern = TestPattern(width: 320, height: 180, tint: (140, 110))

  private func film(_ engine: RTPMediaEngine) -> FrameTicker {
    let ticker = FrameTicker()
    ticker.start(framesPerSecond: 15) { number in
      guard let buffer = Self.pattern.picture(number) else { return }
      engine.send(VideoFrame(timestampNs: .now, rotation: .rotation0, buffer: buffer), number: 1)
    }
    return ticker
  }

  @Test func `sound and pictures continue after the decoders receive garbage`() async throws {
    try await withMedia(saying: ToneSource()) { fixture in
      let track = ScriptedMedia.Route(
        from: MediaFixture.ticketA, ssrc: 103, to: MediaFixture.ticketB, as_: 203)
      await fixture.media.setRoutes([MediaFixture.route, track])
      fixture.b.setReceived([RemoteVideoTrack(tileId: 203, ssrc: 203)])
      fixture.b.move(to: fixture.place(MediaFixture.ticketB))
      try await fixture.media.shown.wait(for: "b's ticket") { !$0.isEmpty }
      fixture.a.setPublished(MediaFixture.publication)
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      let film = film(fixture.a)
      defer { film.stop() }
      try await fixture.earB.seen.wait(for: "frames") { $0.count > 10 }

      await fixture.media.garble(0.3, seed: 21)
      try await eventually("garbage") { await fixture.media.garbled > 150 }
      await fixture.media.garble(0, seed: 21)

      // A decoder does not detect all damage, but a key frame repairs the picture.
      var request = RTCPWriter()
      request.addPictureLoss(sender: 1, media: 103)
      await fixture.media.send(request.bytes, to: MediaFixture.ticketA)
      try await fixture.earB.seen.wait(for: "frames that are whole") { seen in
        let numbers = seen.suffix(10).compactMap(\.number)
        return numbers.count == 10 && zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }
      }
      let sounds = fixture.heard.pieces.entries.count
      try await fixture.heard.pieces.wait(for: "the tone") { pieces in
        pieces.count > sounds + 50
          && pieces.suffix(25).allSatisfy { ($0.map { abs(Int($0)) }.max() ?? 0) > 2_000 }
      }
    }
  }
}

extension Int64 {
  fileprivate static var now: Int64 {
    Int64((ContinuousClock.now - epoch) / .nanoseconds(1))
  }
}

private let epoch = ContinuousClock.now - .seconds(1)
