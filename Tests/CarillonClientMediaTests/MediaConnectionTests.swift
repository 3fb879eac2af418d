import Dispatch
import Synchronization
import TestSupport
import Testing
import Trials
import ZeroMQ

@testable import CarillonClientCore
@testable import CarillonClientMedia

@Suite(.serialized, .timeLimit(.minutes(5)))
struct MediaConnectionTests {
  @Test func `a client sends its ticket until the service accepts it`() async throws {
    try await withMedia(saying: ToneSource(), ignoring: 2) { fixture in
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      try await fixture.media.packets.wait(for: "packets") { $0.count > 5 }
      let shown = fixture.media.shown.entries
      #expect(shown.count >= 3)
      #expect(Set(shown) == [MediaFixture.ticketA])
    }
  }

  @Test func `packets go to the new address after the media service moves`() async throws {
    try await withMedia(saying: ToneSource()) { fixture in
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      try await fixture.media.packets.wait(for: "packets") { $0.count > 5 }
      let other = ScriptedMedia(on: fixture.thread)
      let path = fixture.path + "-2"
      try await other.open(at: .ipc(path), in: fixture.context)
      let ticket = [UInt8](repeating: 0xA2, count: 16)
      var place = fixture.place(MediaFixture.ticketA, at: path, term: 2)
      place.ticket = ticket
      fixture.a.move(to: place)
      try await other.packets.wait(for: "packets at the new place") { $0.count > 5 }
      #expect(other.shown.entries.first == ticket)
      #expect(Set(other.packets.entries) == [11])
      let before = fixture.media.packets.entries.count
      fixture.a.move(to: place)
      try await other.packets.wait(for: "more packets") { $0.count > 20 }
      #expect(Set(other.shown.entries) == [ticket])
      #expect(fixture.media.packets.entries.count <= before + 1)
      await other.close()
    }
  }

  @Test func `a client sends its ticket again after the service restarts`() async throws {
    try await withMedia(saying: ToneSource()) { fixture in
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      try await fixture.media.packets.wait(for: "packets") { $0.count > 5 }
      await fixture.media.close()
      let other = ScriptedMedia(on: fixture.thread)
      try await other.open(at: .ipc(fixture.path), in: fixture.context)
      try await other.packets.wait(for: "packets") { $0.count > 5 }
      #expect(other.shown.entries.first == MediaFixture.ticketA)
      #expect(fixture.earA.losses.entries == [])
      await other.close()
    }
  }

  /// A microphone that blocks the media thread once, as a stopped process would.
  private final class StallingSource: AudioSource {
    private let reads = Mutex(0)
    private let never = DispatchSemaphore(value: 0)

    func read(into samples: inout MutableSpan<Int16>) -> Bool {
      let number = reads.withLock { reads in
        reads += 1
        return reads
      }
      if number == 20 { _ = never.wait(timeout: .now() + .milliseconds(1500)) }
      return false
    }
  }

  @Test func `a stalled media clock is reported as an interruption`() async throws {
    try await withMedia(saying: StallingSource()) { fixture in
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      try await fixture.earA.interruptions.wait(for: "the interruption") { !$0.isEmpty }
    }
  }

  @Test func `the connection is reported as lost until the service returns`() async throws {
    try await withMedia(saying: ToneSource()) { fixture in
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      try await fixture.media.packets.wait(for: "packets") { $0.count > 5 }
      await fixture.media.close()
      try await fixture.earA.losses.wait(for: "the loss") { $0 == [true] }
      let other = ScriptedMedia(on: fixture.thread)
      try await other.open(at: .ipc(fixture.path), in: fixture.context)
      try await fixture.earA.losses.wait(for: "the return") { $0 == [true, false] }
      // The delegate gets the time that each admission by media took.
      let paths = fixture.earA.paths.entries
      #expect(paths.count == 2)
      #expect(paths.last.map { $0 >= 5000 } == true)
      await other.close()
    }
  }

  @Test func `sound continues after the service sends garbage`() async throws {
    try await withMedia(saying: ToneSource()) { fixture in
      fixture.b.setReceived([RemoteVideoTrack(tileId: 7, ssrc: 200)])
      await fixture.media.setRoutes([MediaFixture.route])
      fixture.a.move(to: fixture.place(MediaFixture.ticketA))
      fixture.b.move(to: fixture.place(MediaFixture.ticketB))
      try await fixture.heard.pieces.wait(for: "sound") { !$0.isEmpty }
      var numbers = SeededGenerator(seed: 3)
      for round in 0..<500 {
        let length = Int.random(in: 0...1300, using: &numbers)
        var bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        if round % 3 > 0, bytes.count > 12 {
          // In two of three rounds, the packet has the header of an existing stream, followed by
          // garbage.
          let (type, ssrc): (UInt8, UInt8) = round % 3 == 1 ? (111, 22) : (96, 200)
          bytes.replaceSubrange(0..<2, with: [0x80, type])
          bytes.replaceSubrange(8..<12, with: [0, 0, 0, ssrc])
        }
        await fixture.media.send(bytes, to: MediaFixture.ticketB)
      }
      let count = fixture.heard.pieces.entries.count
      try await fixture.heard.pieces.wait(for: "more sound") { $0.count > count + 20 }
    }
  }
}
