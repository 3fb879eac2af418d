import Foundation
import TestSupport
import Testing
import Trials
import VPX

@testable import CarillonClientCore
@testable import CarillonClientMedia

/// Passes the frames of a source to an engine, as a session does.
private final class EngineSink: VideoSink {
  let engine: RTPMediaEngine

  init(_ engine: RTPMediaEngine) { self.engine = engine }

  func onVideoFrameReceived(frame: VideoFrame) { engine.send(frame, number: 1) }
}

@Suite(.serialized, .timeLimit(.minutes(5)))
struct VideoReplayTests {
  private static func record(seconds: Int = 2) throws -> VideoRecording {
    try VideoRecording(
      ofTestPattern: 160, 90, framesPerSecond: 15, seconds: seconds, bitsPerSecond: 60_000)
  }

  private static let publication = VideoPublication(
    number: 1, isContent: false, hint: .motion, layers: [MediaFixture.layers[0]])

  @Test func `a recording has a key frame in every second`() throws {
    let recording = try Self.record(seconds: 3)
    #expect(recording.count == 45)
    #expect(recording.frames.indices.filter { recording.frames[$0].isKeyFrame } == [0, 15, 30])
    let bits = recording.frames.map { $0.bytes.count * 8 }.reduce(0, +)
    #expect(bits < 3 * 120_000)
  }

  @Test func `a recording is played in a loop, and jumps to a key frame on request`() throws {
    let recording = try Self.record()
    let buffer = RecordingPlaybackBuffer(recording, from: 28)
    let next = { (isForced: Bool) in
      buffer.next(forcingKeyFrame: isForced).flatMap { recording.frames.firstIndex(of: $0) }
    }
    #expect(
      [next(false), next(false), next(false), next(true), next(false)] == [28, 29, 0, 15, 16])
    #expect([next(true), next(true)] == [0, 15])
  }

  @Test func `a looped recording arrives complete`() async throws {
    try await withMedia { fixture in
      await fixture.media.setRoutes([
        ScriptedMedia.Route(
          from: MediaFixture.ticketA, ssrc: 101, to: MediaFixture.ticketB, as_: 201)
      ])
      fixture.b.setReceived([RemoteVideoTrack(tileId: 201, ssrc: 201)])
      fixture.b.move(to: fixture.place(MediaFixture.ticketB))
      try await fixture.media.shown.wait(for: "b's ticket") { !$0.isEmpty }
      fixture.a.setPublished(Self.publication)
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      let replay = VideoReplay(of: try Self.record(), from: 20)
      replay.addVideoSink(sink: EngineSink(fixture.a))
      replay.start()
      defer { replay.stop() }
      // The recording reaches its end, and the replay starts again at least once.
      let seen = try await fixture.earB.seen.wait(for: "frames") { $0.count >= 50 }
      let numbers = seen.compactMap(\.number)
      #expect(numbers.count == seen.count)
      #expect(seen.allSatisfy { $0.width == 160 && $0.height == 90 })
      #expect(numbers.first == 0)  // The first key frame after picture 20 is picture 0.
      // A busy machine may drop pictures, but their order is correct.
      let steps = zip(numbers, numbers.dropFirst()).map { ($1 - $0 + 30) % 30 }
      #expect(steps.allSatisfy { (1...15).contains($0) })
      #expect(zip(numbers, numbers.dropFirst()).contains { $0 > $1 })
    }
  }

  @Test func `a receiver that joins late gets a key frame on request`() async throws {
    try await withMedia { fixture in
      fixture.a.setPublished(Self.publication)
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      let replay = VideoReplay(of: try Self.record(seconds: 4))
      replay.addVideoSink(sink: EngineSink(fixture.a))
      replay.start()
      defer { replay.stop() }
      try await fixture.media.packets.wait(for: "packets") { $0.count { $0 == 101 } > 20 }
      fixture.b.setReceived([RemoteVideoTrack(tileId: 201, ssrc: 201)])
      await fixture.media.setRoutes([
        ScriptedMedia.Route(
          from: MediaFixture.ticketA, ssrc: 101, to: MediaFixture.ticketB, as_: 201)
      ])
      fixture.b.move(to: fixture.place(MediaFixture.ticketB))
      let seen = try await fixture.earB.seen.wait(for: "frames") { $0.count > 5 }
      #expect(seen.allSatisfy { $0.number != nil })
      #expect(try #require(seen.first?.number) % 15 == 0)
    }
  }
}
