import CarillonClient
import TestSupport
import Testing
import Trials

extension EndToEnd {
  /// How fast what a user chooses reaches the packets.
  struct PauseTests {
    @Test func `a pause stops packets at once, and a resume brings a key frame`() async throws {
      try await RelayedCall.run { call in
        var (stops, starts): ([Duration], [Duration]) = ([], [])
        for _ in 0..<4 {
          stops.append(try await pause(call))
          starts.append(try await resume(call))
        }
        print("A pause took \(stops) at most 100 ms each, a resume \(starts), at most 300.")
        // Three times what it should take.
        #expect(stops.allSatisfy { $0 <= .milliseconds(300) }, "\(stops)")
        #expect(starts.allSatisfy { $0 <= .milliseconds(900) }, "\(starts)")
      }
    }

    /// - Returns: How long packets came after it.
    private func pause(_ call: RelayedCall) async throws -> Duration {
      let start = ContinuousClock.now
      call.bea.audioVideo.pauseRemoteVideoTile(tileId: call.tile)
      // Half a second of sound in which no packet comes.
      try await eventually("the packets to stop") {
        let passed = await passed(call).count
        let sounds = call.bea.sounds.entries.count
        try await call.bea.sounds.wait(for: "half a second") { $0.count >= sounds + 25 }
        return await self.passed(call).count == passed
      }
      guard let last = await passed(call).last, last > start else { return .zero }
      return call.heardTime(from: start, to: last)
    }

    /// - Returns: After how long a key frame came, which is what came first.
    private func resume(_ call: RelayedCall) async throws -> Duration {
      let (passed, frames) = (await passed(call).count, call.bea.shown.entries.count)
      let start = ContinuousClock.now
      call.bea.audioVideo.resumeRemoteVideoTile(tileId: call.tile)
      try await call.bea.sees(5, of: call.tile, since: frames)
      let tally = await call.relay.tally(.down, payloadType: RelayedCall.vp8)
      let first = try #require(tally.passes.dropFirst(passed).first)
      let keyFrame = try #require(tally.keyFrames.first { $0 >= first })
      // Nothing comes before it.
      #expect(keyFrame == first)
      return call.heardTime(from: start, to: keyFrame)
    }

    private func passed(_ call: RelayedCall) async -> [ContinuousClock.Instant] {
      await call.relay.tally(.down, payloadType: RelayedCall.vp8).passes
    }
  }
}
