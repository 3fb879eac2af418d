import TestSupport
import Testing
import Trials
import Wire

@testable import Media

extension MediaServices {
  /// Tests of packets that arrive after media has not run for a while.
  struct MediaFenceServiceTests {
    private func withFence(
      timeout: Duration = .seconds(50),
      _ body: @Sendable (MediaServiceFixture) async throws -> Void
    ) async throws {
      try await withMediaService(
        {
          $0.standstill = .milliseconds(150)
          $0.fenceTimeout = timeout
        }, body)
    }

    /// Echoes the fences that media reports, until media no longer reports a fence. If a busy
    /// machine stops the process again, media raises another fence.
    private func lower(_ fixture: MediaServiceFixture) async throws {
      var fence: UInt64 = 0
      try await eventually("the fence to be lowered") {
        fence = try await fixture.gateway.sayAlive(echoing: fence).fence
        return fence == 0
      }
    }

    private func taken(_ fixture: MediaServiceFixture) -> Int {
      fixture.counts("carillon_media_received_packets_total{kind=\"audio\"}")
    }

    @Test func `after a standstill, no packet passes media until the gateway echoes the fence`()
      async throws
    {
      try await withFence { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        try await lower(fixture)
        try await ada.speak(.tone(440))
        try await eventually("sound") {
          try await lower(fixture)
          return grace.sounds.entries.count > 5
        }
        await fixture.standStill(for: 0.3)
        let dropped = fixture.dropped(.fence)
        try await eventually("drops") { fixture.dropped(.fence) > dropped }
        try await grace.show()
        let (count, heard) = (taken(fixture), grace.sounds.entries.count)
        try await eventually("drops") { fixture.dropped(.fence) > dropped + 20 }
        try await grace.show()
        #expect(taken(fixture) == count && grace.sounds.entries.count == heard)
        let fence = try await fixture.gateway.sayAlive().fence
        #expect(fence >> 32 == 1)
        try await fixture.gateway.fences.wait(for: "a beacon") { $0.contains { $0 >= fence } }
        // Echoes of an earlier fence and of another ownership term's fence do not lower the fence.
        _ = try await fixture.gateway.sayAlive(echoing: fence - 1)
        _ = try await fixture.gateway.sayAlive(echoing: fence & 0xFFFF)
        #expect(try await fixture.gateway.sayAlive().fence >= fence)
        #expect(taken(fixture) == count)
        try await eventually("sound") {
          try await lower(fixture)
          return taken(fixture) > count && grace.sounds.entries.count > heard
        }
      }
    }

    @Test func `an attendee muted during a fence is not heard after the fence`() async throws {
      try await withFence { fixture in
        let ada = try await fixture.join(.ada)
        let grace = try await fixture.join(.grace)
        try await ada.speak(.tone(440))
        try await eventually("sound") {
          try await lower(fixture)
          return grace.sounds.entries.count > 5
        }
        await fixture.standStill(for: 0.3)
        try await eventually("the fence") { try await fixture.gateway.sayAlive().fence > 0 }
        try await fixture.gateway.set(.isMuted(true), of: .ada)
        try await grace.show()
        let (count, heard) = (taken(fixture), grace.sounds.entries.count)
        try await lower(fixture)
        let refused = fixture.dropped(.rights)
        try await eventually("drops") {
          try await lower(fixture)
          return fixture.dropped(.rights) > refused + 10
        }
        #expect(taken(fixture) == count)
        // The client hears neither a fade of the last sound nor sound that remained in the encoder.
        try await grace.show()
        #expect(grace.sounds.entries.count == heard)
      }
    }

    @Test func `media accepts packets after a timeout if the gateway never echoes the fence`()
      async throws
    {
      try await withFence(timeout: .milliseconds(500)) { fixture in
        let ada = try await fixture.join(.ada)
        try await ada.speak(.tone(440))
        try await eventually("packets") { taken(fixture) > 5 }
        await fixture.standStill(for: 0.3)
        let dropped = fixture.dropped(.fence)
        try await eventually("drops") { fixture.dropped(.fence) > dropped }
        let count = taken(fixture)
        try await eventually("packets") { taken(fixture) > count }
      }
    }
  }
}
