import CarillonClient
import TestSupport
import Testing
import Trials

extension EndToEnd {
  /// Tests of the time from a user's pause or resume until the packets stop or start.
  struct PauseTests {
    @Test func `a pause stops packets immediately, and a resume causes a key frame`() async throws {
      try await RelayedCall.run { call in
        var (stops, starts): ([Duration], [Duration]) = ([], [])
        for _ in 0..<4 {
          stops.append(try await pause(call))
          starts.append(try await resume(call))
        }
        print("A pause took \(stops) at most 100 ms each, a resume \(starts), at most 300.")
        // The limits are three times the expected times.
        #expect(stops.allSatisfy { $0 <= .milliseconds(300) }, "\(stops)")
        #expect(starts.allSatisfy { $0 <= .milliseconds(900) }, "\(starts)")
      }
    }

    /// Pauses the tile, and waits until the packets stop.
    ///
    /// - Returns: The time from the pause until the last packet.
    private func pause(_ call: RelayedCall) async throws -> Duration {
      let start = ContinuousClock.now
      call.bea.audioVideo.pauseRemoteVideoTile(tileId: call.tile)
      // Wait until half a second passes in which sound arrives but no video packet does.
      try await eventually("the packets to stop") {
        let passed = await passed(call).count
        let sounds = call.bea.sounds.entries.count
        try await call.bea.sounds.wait(for: "half a second") { $0.count >= sounds + 25 }
        return await self.passed(call).count == passed
      }
      guard let last = await passed(call).last, last > start else { return .zero }
      return call.heardTime(from: start, to: last)
    }

    /// Resumes the tile, and expects a key frame first.
    ///
    /// - Returns: The time from the resume until the key frame.
    private func resume(_ call: RelayedCall) async throws -> Duration {
      let (passed, frames) = (await passed(call).count, call.bea.shown.entries.count)
      let start = ContinuousClock.now
      call.bea.audioVideo.resumeRemoteVideoTile(tileId: call.tile)
      try await call.bea.sees(5, of: call.tile, since: frames)
      let tally = await call.relay.tally(.down, payloadType: RelayedCall.vp8)
      let first = try #require(tally.passes.dropFirst(passed).first)
      let keyFrame = try #require(tally.keyFrames.first { $0 >= first })
      // No packet precedes the key frame.
      #expect(keyFrame == first)
      return call.heardTime(from: start, to: keyFrame)
    }

    private func passed(_ call: RelayedCall) async -> [ContinuousClock.Instant] {
      await call.relay.tally(.down, payloadType: RelayedCall.vp8).passes
    }
  }
}
